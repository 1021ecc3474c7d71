-- followup-creator: finds the work that an agent leaves open, and makes tasks of it.
--
-- It reads the agent's answer: TODO and the like, unticked boxes, and sentences such as "the export is not yet
-- implemented". finder.lua finds them; session.lua remembers what was found before; tracker.lua makes tasks.
-- With the option continue, an agent that wants to stop is asked once about each.

local settings = require("options").read((...))
local finder = require("finder").new(settings)
local session = require("session")
local tracker = require("tracker")

-- The agent's text. Only a subagent's result may be something other than a text.
local function answer_of(ev)
  if ev.response or ev.event ~= "subagent_stop" then
    return ev.response
  end
  return type(ev.result) == "string" and ev.result or nil
end

-- The items that need a task. An agent that is asked to continue may still do them, so with continue only those
-- count that it mentions again after that.
local function without_task(open)
  local list = {}
  for _, item in ipairs(open) do
    local past = item.past
    if not (past and past.task) and (not settings.continue or (past and past.asked)) then
      list[#list + 1] = item
    end
  end
  return list
end

local function unasked(open)
  local list = {}
  for _, item in ipairs(open) do
    if not (item.past and item.past.asked) then
      list[#list + 1] = item
    end
  end
  return list
end

-- data returns what the event adds to the result: items that are new in the session.
local function data(open, more)
  local list = {}
  for _, item in ipairs(open) do
    if not item.past then
      list[#list + 1] = { kind = item.kind, text = item.text, line = item.line, source = item.source, task = item.task }
    end
  end
  if #list > 0 or more > 0 then
    return { data = { followups = json.array(list), followups_left_out = more > 0 and more or nil } }
  end
end

-- The request to the agent to continue.
local function reason(open)
  local lines = { "By your own account this is still open:" }
  for _, item in ipairs(open) do
    lines[#lines + 1] = "- " .. item.text
  end
  lines[#lines + 1] = "Do it now. Where it can't be done, or is done already, say so and why. (followup-creator)"
  return table.concat(lines, "\n")
end

-- The message for the user: the tasks that were made, and any problems.
local function news(open, found, problems)
  local made = {}
  for _, item in ipairs(open) do
    if item.new_task then
      made[#made + 1] = ("%s (%s)"):format(item.task, text.truncate(item.text, 80))
    end
  end
  local parts = {}
  if #made > 0 then
    parts[1] = (#made == 1 and "a task for later: " or #made .. " tasks for later: ") .. table.concat(made, ", ")
  end
  if found.more > 0 then
    parts[#parts + 1] = ("%d more follow-ups are left out (max is %d)"):format(found.more, settings.max)
  end
  if found.partial then
    parts[#parts + 1] = "the answer is too long to look at all of it"
  end
  for _, problem in ipairs(problems) do
    parts[#parts + 1] = problem
  end
  if #parts > 0 then
    return message("followup-creator: " .. table.concat(parts, "; "))
  end
end

local function look(ev, may_ask)
  local answer = answer_of(ev)
  local found = finder:find(answer or "")
  local asks = may_ask and settings.continue
  if #found.items == 0 and not (asks and not answer) then
    return
  end
  local problems = {}
  local past, problem = session.past()
  problems[#problems + 1] = problem
  local open = session.match(found.items, past)
  if settings.tasks then
    problems[#problems + 1] = tracker.create(ev, without_task(open))
  end
  local ask = {}
  if asks then
    ask = unasked(answer and open or session.unasked(past, ev, settings.max))
  end
  if past then
    problems[#problems + 1] = session.keep(ev, open, ask)
  end
  local result, told = data(open, found.more) or {}, news(open, found, problems)
  if #ask > 0 then
    return result, told, deny(reason(ask))
  end
  return result, told
end

-- A host without a text at stop has sent it before, so answers are always read.
on("post_response", { name = "followup-creator", always = true }, function(ev)
  return look(ev, false)
end)
on("stop", { name = "followup-creator" }, function(ev)
  return look(ev, true)
end)
on("subagent_stop", { name = "followup-creator" }, function(ev)
  return look(ev, true)
end)
