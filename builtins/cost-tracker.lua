-- cost-tracker: counts what models cost, and compares it with budgets.
--
-- The counts are in the store, so that they continue from one process to the next. Reports after a model call
-- and at the end of a session are counted wherever the built-in is listed; a budget asks or denies only on
-- events where it is listed.

local settings = require("settings").read(require("options"), (...))
local budgets = require("budgets")
local ledger = require("ledger")
local prices = require("prices")
local report = require("report")
local usage = require("usage")

local price_of = prices.open(settings.prices)
local held = budgets.of(settings)
local of_session, of_totals = budgets.needs(held)

-- The user is told the first time that a budget is found used up or nearly so.
local function first_time(ev, finding)
  local thing = finding.budget.name .. (finding.over and " over" or " near")
  return ledger.first_time(settings, ev, finding.budget.period, thing, finding.when)
end

local VERBS = { ask = "asks", deny = "denies" }

-- tell is for events that can't be held up: a line for the user, and if a budget is used up, one for the model.
local function tell(ev, finding)
  if not finding or not first_time(ev, finding) then
    return nil
  elseif not finding.over then
    return message(("cost-tracker: %s is used (%s)."):format(finding.text, finding.budget.name))
  end
  local used_up = ("The budget is used up: %s (cost-tracker: %s)."):format(finding.text, finding.budget.name)
  local hint = settings.over == "warn" and "" or (" It %s only if it is listed under an earlier event, such as pre_prompt or pre_tool_call."):format(VERBS[settings.over])
  return message(used_up .. hint),
    ev.event ~= "session_end" and context(used_up .. " Finish with what you have, and tell the user.") or nil
end

-- guard is for events that can be held up.
local function guard(ev)
  local session = of_session and ledger.session(ev) or nil
  local totals = of_totals and ledger.totals(settings) or nil
  local finding = budgets.judge(held, settings.warn_at, session, totals)
  if not finding then
    return nil
  elseif finding.over and settings.over ~= "warn" then
    local reason = ("The budget is used up: %s (cost-tracker: %s)."):format(finding.text, finding.budget.name)
    if settings.over == "deny" then
      return deny(reason .. " Stop here and tell the user.")
    end
    return ask(reason .. " Continue anyway?")
  elseif not ev.judging and first_time(ev, finding) then
    return message(("cost-tracker: %s is used (%s)."):format(finding.text, finding.budget.name))
  end
end

-- A model without a price seems to cost nothing: its user is told, if costs are wanted.
local function unpriced(ev, part)
  local wanted = next(settings.prices) or settings.session_usd or settings.day_usd or settings.month_usd or settings.total_usd
  if part.unpriced <= 0 or not wanted then
    return nil
  end
  local model = text.truncate(ev.model or "unknown", 80)
  if ledger.first_time(settings, ev, "session", "no price " .. model, "ever") then
    return message(("cost-tracker: the model %q has no price, and the host doesn't report what it costs; its tokens are counted, its cost isn't. Add it to prices."):format(model))
  end
end

local function count(ev, whole)
  local price = price_of(ev.model)
  local used, problem = usage.of(ev, price)
  if problem then
    return message("cost-tracker: an impossible usage report was left out: " .. problem)
  end
  local session, part = ledger.count(ev, { used = used, whole = whole, calls = whole and 0 or 1, price = price })
  local totals = ledger.add_to_totals(settings, part)
  local line = whole and report.summary(session, totals) or nil
  return { data = { cost = report.data(session, totals) } },
    line and message(line),
    unpriced(ev, part),
    tell(ev, budgets.judge(held, settings.warn_at, session, totals))
end

-- Counting must not disturb the agent: if the store fails, the hook reports that, and the agent continues.
local function counted(ev, whole)
  local answers = { pcall(count, ev, whole) }
  if not answers[1] then
    return message("cost-tracker: the usage was not counted: " .. tostring(answers[2]))
  end
  return unpack(answers, 2, 6)
end

on("post_model_call", { name = "cost-tracker", always = true }, function(ev)
  return counted(ev, false)
end)

on("session_end", { name = "cost-tracker", always = true }, function(ev)
  local answers = { counted(ev, true) }
  pcall(ledger.forget, ev)
  return unpack(answers, 1, 5)
end)

for _, event in ipairs({ "pre_prompt", "pre_model_call", "pre_tool_call", "pre_agent", "subagent_start" }) do
  on(event, { name = "cost-tracker" }, guard)
end
