-- Makes tasks of follow-ups.

local tracker = {}

local function described(ev, item)
  local lines = { item.text, "", "An agent left this open" .. (ev.session_id and " in session " .. ev.session_id or "") .. "." }
  if item.source then
    lines[#lines + 1] = "It is about " .. item.source .. "."
  end
  return text.truncate(table.concat(lines, "\n"), 4000)
end

-- A session or issue whose id is too long for a tracker is left out.
local function short(id)
  return id and text.trim(id) ~= "" and #id <= 200 and id or nil
end

-- made returns the task of an item, and whether it is new. Its key consists of the issue and the words, so that
-- no second task is made. A task that was closed, but is left open again, is made anew, once a session.
local function made(ev, item)
  local parent = short(ev.issue_id)
  local wanted = {
    title = item.text, body = described(ev, item), parent = parent, labels = { "follow-up" }, source = item.source,
    key = "followup:" .. hash.sha256((parent or "") .. "\n" .. item.key):sub(1, 24),
  }
  local task, problem = tasks.create(wanted)
  if task and not task.new and task.status == "closed" then
    wanted.key = wanted.key .. ":" .. hash.sha256(ev.session_id or ""):sub(1, 12)
    task, problem = tasks.create(wanted)
  end
  return task, problem
end

-- create makes a task for each item and sets its task and new_task. It stops at the first one that the tracker
-- refuses, and returns why.
function tracker.create(ev, items)
  for _, item in ipairs(items) do
    local ok, task, problem = pcall(made, ev, item)
    if not ok or not task then
      return "no task could be made: " .. text.truncate(tostring(ok and problem or task), 300)
    end
    item.task, item.new_task = task.id, task.new
  end
end

return tracker
