-- Lets the agent call at most 50 tools in a session, and tells it when they are running out.
local MOST, WARN = 50, 10

-- The low priority: calls that another hook denies don't count. incr is one step for all processes, so that calls
-- that are made at the same time are counted, too.
on("pre_tool_call", { priority = -100 }, function()
  local calls = store.session.incr("calls")
  if calls > MOST then
    return deny(("this session's %d tool calls are used up: tell the user what is done and what is left"):format(MOST))
  elseif calls == MOST - WARN then
    return context(("%d tool calls are left in this session"):format(WARN))
  end
end)
