-- Says on the team's channel that an agent is done; the channel reads the log.
local said = "%s of %s is done"

on({ "stop", "subagent_stop" }, function(ev)
  log.info(said:format(ev.agent_name or "the agent", ev.session_id or "no session"))
end)
