-- error-logger: records and counts failures, and helps if an agent goes in circles.
--
-- on_error and post_tool_call record and count a failure (counts.lua) under its fingerprint (fingerprint.lua);
-- from a threshold on the agent is told to try something else. pre_tool_call denies a call that has failed
-- before unchanged (call.lua), as long as nothing has been changed. The events needed for that are noted whether
-- or not post_tool_call and pre_prompt are in hooks.yaml.

local settings = require("settings").read(require("options"), (...))
local call = require("call")
local counts = require("counts")
local fingerprint = require("fingerprint")
local outcome = require("outcome")
local recovery = require("recovery").read(settings.recover)
local patience = recovery and ("%ds"):format(math.ceil(recovery.timeout) + 2) or nil

-- The bytes of a message that go to the log, and to the agent.
local LOGGED, TOLD = 2000, 300

-- The part of a text that is examined, so that a secret isn't cut in two in what is shown.
local LOOKED_AT = 16 * 1024

-- clean returns a message without secrets and colours; of a long one the beginning and end.
local function clean(message)
  if #message > 2 * LOOKED_AT then
    message = text.truncate(message, LOOKED_AT, "") .. "\n" .. message:sub(-LOOKED_AT)
  end
  return redact.text(fingerprint.without_colours(message))
end

-- shorten returns the beginning and the end of a text, in at most most bytes.
local function shorten(message, most)
  message = text.trim(message)
  if #message <= most then
    return message
  end
  local tail = message:sub(-math.floor(most / 4)):gsub("^[\128-\191]+", "")
  return text.truncate(message, most - #tail - 5, "") .. " ... " .. tail
end

local function one_line(message, most)
  return shorten(message:gsub("%s+", " "), most)
end

local function ago(seconds)
  if seconds < 90 then
    return ("%d s ago"):format(seconds)
  elseif seconds < 5400 then
    return ("%d min ago"):format(seconds / 60)
  end
  return ("%d h ago"):format(seconds / 3600)
end

-- The advice to the agent from the threshold on.
local function advice(failure, task, same, now)
  if same.n >= settings.threshold then
    return context(([[The same error has come %d times since %s (%s), %s%s: %s
Don't try the same again. Read what the message says, check what the attempt takes for granted (paths, names, versions, arguments, permissions, what is running), and do it another way; or say what doesn't work and ask.]]):format(
      same.n, time.iso(same.first), ago(now - same.first), failure.kind, failure.tool ~= "" and " in " .. failure.tool or "", one_line(failure.message, TOLD)))
  elseif task.n % settings.task_threshold == 0 then
    return context(("There have been %d failures in this task since %s (%s); the latest, %s%s: %s\nStand back before going on: what is the common cause, and which step is the first that can be shown to work?"):format(
      task.n, time.iso(task.first), ago(now - task.first), failure.kind, failure.tool ~= "" and " in " .. failure.tool or "", one_line(failure.message, TOLD)))
  end
end

local function record(failure, task, same)
  if not settings.log then
    return
  end
  local ok, problem = pcall(audit.note, {
    kind = "error",
    text = failure.kind .. ": " .. shorten(failure.message, LOGGED),
    data = { error = failure.kind, hook = failure.hook, event = failure.event, tool = failure.tool ~= "" and failure.tool or nil, fingerprint = failure.fingerprint, failures = task and task.n, same_failures = same and same.n },
  })
  if not ok then
    log.warn("error-logger: the error isn't in the decision log: " .. text.truncate(tostring(problem), 300))
  end
end

-- count records a failure, and returns what to say about it.
local function count(ev, failure)
  failure.message = clean(failure.message)
  failure.fingerprint = fingerprint.of(failure.tool, failure.kind, failure.message)
  local memory = counts.of(ev, settings)
  local task, problem = memory:failed(failure.fingerprint, failure.id, failure.call)
  local same = task and task.errors[failure.fingerprint]
  record(failure, task, same)
  if not task then
    return { data = { fingerprint = failure.fingerprint } }, message("error-logger can't count: " .. problem)
  end
  same = same or { n = 0, first = memory.now } -- it was counted under another event, and has been overcome
  local came = recovery and recovery:start(ev, failure, math.max(same.n, 1))
  if came then
    record({ kind = "recovery", message = came, tool = failure.tool, fingerprint = failure.fingerprint })
  end
  return { data = { failures = task.n, same_failures = same.n, fingerprint = failure.fingerprint, recovery = came } }, advice(failure, task, same, memory.now),
    came and context(came) or nil
end

on("on_error", { name = "error-logger", timeout = patience }, function(ev)
  local failure = ev.error
  if failure and failure.hook and failure.kind == "hook" then -- it isn't the agent that goes in circles
    local message = clean(failure.message)
    record({ kind = "hook", message = message, tool = "", fingerprint = fingerprint.of("", "hook", message), hook = failure.hook, event = failure.event })
    return
  end
  local tool = ev.tool_call
  return count(ev, {
    kind = failure and failure.kind or "error",
    message = failure and failure.message or "",
    tool = tool and tool.name or "",
    id = tool and tool.id,
    call = tool and call.identity(ev),
  })
end)

on("post_tool_call", { name = "error-logger", timeout = patience }, function(ev)
  local ended, kind = outcome.of(ev)
  if ended == "failed" then
    return count(ev, { kind = kind, message = outcome.message(ev), tool = ev.tool_call.name or "", id = ev.tool_call.id, call = call.identity(ev) })
  end
end)

-- pre_tool_call needs this, whatever hooks.yaml lists.
on("post_tool_call", { name = "error-logger-calls", always = true, on_failure = "warn" }, function(ev)
  local identity = call.identity(ev)
  if not identity then
    return
  end
  local memory = counts.of(ev, settings)
  local ended, kind = outcome.of(ev)
  local _, problem
  if ended == "failed" then
    if not (ev.error and ev.error.is_retryable or call.waits(ev)) then -- else trying again makes sense
      local message = clean(outcome.message(ev))
      _, problem = memory:call_failed(identity, fingerprint.of(ev.tool_call.name or "", kind, message), one_line(message, TOLD))
    end
  elseif ended == "ok" then
    _, problem = memory:succeeded(identity, call.may_change(ev))
  end
  if problem then
    log.warn("error-logger: calls aren't counted: " .. problem)
  end
end)

-- A person who prompts may have fixed what failed.
on("pre_prompt", { name = "error-logger-prompt", always = true, on_failure = "warn" }, function(ev)
  local _, problem = counts.of(ev, settings):changed()
  if problem then
    log.warn("error-logger: calls aren't counted: " .. problem)
  end
end)

on("pre_tool_call", { name = "error-logger" }, function(ev)
  local identity = call.identity(ev)
  local memory = counts.of(ev, settings)
  local task = identity and memory:look()
  local failed = task and task.calls[identity]
  if not failed or failed.n < settings.deny_after or failed.change ~= task.change or memory.now - failed.at > settings.deny_for then
    return
  end
  return deny(("This very call has failed %s, last %s, and nothing has been changed since%s. Change what makes it fail, or do it another way; running it unchanged will fail again. (error-logger)"):format(
    failed.n == 1 and "once" or ("%d times"):format(failed.n), ago(memory.now - failed.at), failed.text ~= "" and ": " .. failed.text or ""))
end)
