-- Adds up what the sessions cost. The sum lives as long as the state that holds
-- this script; a sum that must last belongs in a store.
local total, sessions = 0, 0

on("session_end", { name = "session-cost" }, function(ev)
  local cost = ev.usage and ev.usage.cost_usd or 0
  total, sessions = total + cost, sessions + 1
  print(("session %s cost $%.3f, %d sessions $%.3f"):format(ev.session_id or "?", cost, sessions, total))
  return { data = { cost_usd = cost, total_usd = total, sessions = sessions } }
end)
