-- The tasks related to the issue.

local quote = require("quote")
local room = require("room")

local MOST = 50

return function(settings, ev)
  if not ev.issue_id or ev.issue_id == "" then
    return nil
  end
  local list, problem = tasks.list({ issue = ev.issue_id, limit = MOST, timeout = settings.tasks_timeout_text })
  if not list then
    error(problem, 0)
  elseif #list == 0 then
    return nil
  end
  local lines, wanted = {}, 40
  for i, task in ipairs(list) do
    lines[i] = ("- %s (%s) %s"):format(quote.line(task.id, 60), quote.line(task.status, 30), quote.line(task.title, 160))
    wanted = wanted + #lines[i] + 1
  end
  local extra = quote.overhead("tasks")
  return {
    wanted = wanted + extra,
    write = function(limit)
      local listed, kept = room.fit(lines, limit - extra, "task")
      return kept and kept > 0 and quote.block("tasks", listed) or nil
    end,
  }
end
