-- The budgets, and how far they are used up.

local ledger = require("ledger")
local money = require("money")

local PERIODS = { "session", "day", "month", "total" }
local WORDS = { session = "this session", day = "today", month = "this month", total = "all time" }

local budgets = {}

-- of lists the budgets of the settings: {name, period, limit} and how to read an account.
function budgets.of(settings)
  local list = {}
  for _, period in ipairs(PERIODS) do
    local usd, tokens = period .. "_usd", period .. "_tokens"
    if settings[usd] then
      list[#list + 1] = {
        name = usd,
        period = period,
        limit = money.of(settings[usd]),
        used = function(account) return account.amount or 0 end,
        text = function(used, limit) return ("%s of %s for %s"):format(money.shown(used), money.shown(limit), WORDS[period]) end,
      }
    end
    if settings[tokens] then
      list[#list + 1] = {
        name = tokens,
        period = period,
        limit = settings[tokens],
        used = ledger.tokens,
        text = function(used, limit) return ("%s of %s tokens for %s"):format(money.grouped(used), money.grouped(limit), WORDS[period]) end,
      }
    end
  end
  return list
end

-- account returns the amount that a budget limits, from the session's record and the totals.
local function account(budget, session, totals)
  if budget.period == "session" then
    return session
  end
  return totals[budget.period]
end

-- The period for which a budget is reported: once in each.
local function when(budget, totals)
  local days = totals and totals[budget.period]
  return days and days.date or "ever"
end

-- judge returns the first budget that is used up, else the first that is nearly so: {budget, text, over, told,
-- when}; nil if there is neither.
function budgets.judge(list, warn_at, session, totals)
  local near
  for _, budget in ipairs(list) do
    local used = budget.used(account(budget, session, totals))
    local finding = { budget = budget, text = budget.text(used, budget.limit), over = used >= budget.limit, when = when(budget, totals) }
    if finding.over then
      return finding
    elseif not near and used * 100 >= budget.limit * warn_at then
      near = finding
    end
  end
  return near
end

-- needs reports whether a list has budgets of a session, and others.
function budgets.needs(list)
  local session, totals = false, false
  for _, budget in ipairs(list) do
    session = session or budget.period == "session"
    totals = totals or budget.period ~= "session"
  end
  return session, totals
end

return budgets
