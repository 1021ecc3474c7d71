-- How a tool call ended, by the fields of its post_tool_call. The printed text is never read: "Exit code 1" may
-- appear in a log or in a manual.

local outcome = {}

-- The keys of an output table under which hosts put the exit status.
local STATUS_KEYS = { "exit_code", "exitCode", "returncode", "return_code", "exit_status", "exitStatus" }

local function status_of(output)
  for _, key in ipairs(STATUS_KEYS) do
    if type(output[key]) == "number" then
      return output[key]
    end
  end
  if type(output.metadata) == "table" and output.metadata ~= output then
    for _, key in ipairs(STATUS_KEYS) do
      if type(output.metadata[key]) == "number" then
        return output.metadata[key]
      end
    end
  end
end

-- of returns "ok", "failed", "denied" or "unknown", and for a failure its kind: that of the event's error,
-- "timeout" or "error". An exit status other than 0 in the output is a failure even if the host reports success:
-- that only means that the shell was started.
function outcome.of(ev)
  local call, failure = ev.tool_call, ev.error
  local said = call.outcome
  if said == "denied" then
    return "denied"
  elseif said == "timeout" then
    return "failed", "timeout"
  elseif said == "error" or failure then
    return "failed", failure and failure.kind or "error"
  end
  local output = call.output
  if type(output) == "table" then
    local status = status_of(output)
    if output.timed_out == true or output.timedOut == true then
      return "failed", "timeout"
    elseif status and status ~= 0 or output.is_error == true or output.isError == true or output.success == false or output.interrupted == true then
      return "failed", "error"
    elseif status == 0 then
      return "ok"
    end
  end
  return said == "ok" and "ok" or "unknown"
end

-- The keys of an output that say what went wrong, the most informative first.
local TEXT_KEYS = { "stderr", "error", "message", "output", "stdout", "text" }

-- message returns the message of a failed call: the error's, else its output if that is text, else "".
function outcome.message(ev)
  if ev.error and ev.error.message and ev.error.message ~= "" then
    return ev.error.message
  end
  local output = ev.tool_call and ev.tool_call.output
  if type(output) == "string" then
    return output
  elseif type(output) ~= "table" then
    return ""
  end
  for _, key in ipairs(TEXT_KEYS) do
    if type(output[key]) == "string" and text.trim(output[key]) ~= "" then
      return output[key]
    end
  end
  local parts = type(output.content) == "table" and output.content or output
  for _, part in ipairs(parts) do
    if type(part) == "table" and type(part.text) == "string" then
      return part.text
    end
  end
  return ""
end

return outcome
