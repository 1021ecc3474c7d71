-- Tells you when the agent has finished or waits for you: on the desktop, or by a webhook.
--
-- If the variable NOTIFY_WEBHOOK has an address, such as that of a Slack channel, the message goes there.
local SCRIPT = { "on run argv", 'display notification (item 1 of argv) with title "Agent"', "end run" }

local function notify(message)
  local address = env.get("NOTIFY_WEBHOOK")
  if address and address ~= "" then
    local headers = { ["Content-Type"] = "application/json" }
    local answer, problem = http.post(address, json.encode({ text = message }), { headers = headers })
    if not answer or answer.status >= 300 then
      log.warn("no notification: " .. (problem or "the webhook answers with status " .. answer.status))
    end
    return
  end
  local ran = exec.run("notify-send", { "Agent", message }) -- on Linux; nil if it isn't there
    or exec.run("osascript", { "-e", SCRIPT[1], "-e", SCRIPT[2], "-e", SCRIPT[3], message }) -- on macOS
  if not ran or ran.code ~= 0 then
    log.warn("no notification: there is neither notify-send nor osascript, or it fails")
  end
end

-- async: the agent doesn't wait for it. The low priority: if another hook sends the agent back to work, this one
-- doesn't run.
on("stop", { mode = "async", priority = -100, timeout = "5s" }, function(ev)
  notify(path.base(ev.root) .. ": the agent has finished")
end)

on("notification", { mode = "async", timeout = "5s" }, function(ev)
  notify(path.base(ev.root) .. ": the agent waits for you")
end)
