-- Recovery after an error: a program of the user's, or a task for somebody.

local settings = require("settings")

local recovery = {}
recovery.__index = recovery

local SAID, GIVEN = 1000, 2000 -- bytes of a program's output, and of its input

local declared = {
  name = "error-logger: recover",
  options = {
    { name = "command", type = "texts", default = {} },
    { name = "task", type = "text" },
    { name = "kinds", type = "texts", default = {} },
    { name = "tools", type = "texts", default = {} },
    { name = "after", type = "whole", least = 1, most = 1000, default = 1 },
    { name = "every", type = "duration", least = "1m", most = "30d", default = "1h" },
    { name = "timeout", type = "duration", least = "1s", most = "10m", default = "60s" },
  },
}

-- read checks the option recover of an entry; nil if it isn't given.
function recovery.read(given)
  if next(given) == nil then
    return nil
  end
  local self = setmetatable(settings.read(declared, given), recovery)
  if (#self.command > 0) == (self.task ~= nil) then
    error("error-logger: recover: give either command (a list of a program and its arguments) or task (its title)", 0)
  end
  return self
end

local function named(list, name)
  if #list == 0 then
    return true
  end
  for _, one in ipairs(list) do
    if one:lower() == name:lower() then
      return true
    end
  end
  return false
end

-- claimed notes that the recovery of an error begins, at most once in a while, whatever its result: a failed
-- recovery sets off no other one.
function recovery:claimed(fingerprint)
  local now, mine = time.now(), false
  store.update("recovery:" .. fingerprint, function(at)
    mine = not (type(at) == "number" and now - at < self.every)
    return mine and now or at
  end, { ttl = self.every })
  return mine
end

function recovery:run(ev, failure, n)
  local answer, problem = exec.run(self.command[1], { unpack(self.command, 2) }, { env = {
    ERROR_KIND = failure.kind, ERROR_MESSAGE = (text.truncate(failure.message, GIVEN):gsub("%z", "")), ERROR_TOOL = failure.tool, ERROR_FINGERPRINT = failure.fingerprint,
    ERROR_COUNT = tostring(n), ERROR_ISSUE = redact.text(ev.issue_id or ""), ERROR_SESSION = redact.text(ev.session_id or ""),
  }, max = 65536, timeout = self.timeout .. "s" })
  if not answer then
    return nil, problem
  end
  local said = text.truncate(text.trim(redact.text(answer.stdout .. "\n" .. answer.stderr)), SAID)
  local ended = answer.signal and "ended by signal " .. answer.signal or "ended with status " .. answer.code
  return ("`%s` %s%s"):format(self.command[1], ended, said ~= "" and ":\n" .. said or "")
end

function recovery:note(ev, failure)
  local parent = ev.issue_id and #ev.issue_id <= 200 and ev.issue_id ~= "" and ev.issue_id or nil
  local task, problem = tasks.create({
    title = text.truncate(self.task, 400), body = failure.kind .. ": " .. text.truncate(failure.message, GIVEN), parent = parent, source = "error-logger",
    labels = { "recovery" }, key = "recovery:" .. failure.fingerprint,
  })
  if not task then
    return nil, problem
  end
  return ("the task %s %s"):format(task.id, task.new and "was made" or "is there already")
end

-- start starts the recovery of a failure that has occurred n times, if one is configured, and returns its
-- result.
function recovery:start(ev, failure, n)
  if n < self.after or failure.kind == "hook" or not named(self.kinds, failure.kind) or not named(self.tools, failure.tool) then
    return nil
  end
  local ok, came, problem = pcall(function()
    if self:claimed(failure.fingerprint) then
      if self.task ~= nil then
        return self:note(ev, failure)
      end
      return self:run(ev, failure, n)
    end
    return false
  end)
  if ok and came == false then
    return nil
  elseif not ok or not came then
    return "Recovery failed: " .. text.truncate(tostring(ok and problem or came), 300)
  end
  return "Recovery: " .. came
end

return recovery
