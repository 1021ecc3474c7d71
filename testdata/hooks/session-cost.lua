-- Adds up what the sessions of a project cost. The sums are kept in the store: a local of this
-- file would be another in each Lua state.
on("session_end", { name = "session-cost" }, function(ev)
  local cost = ev.usage and ev.usage.cost_usd or 0
  local total, sessions = store.incr("total_usd", cost), store.incr("sessions")
  print(("session %s cost $%.3f, %d sessions $%.3f"):format(ev.session_id or "?", cost, sessions, total))
  return { data = { cost_usd = cost, total_usd = total, sessions = sessions } }
end)
