-- title: once per session, and what is remembered of a million sessions
-- expect: ok or any
-- fires: 50
on("pre_tool_call", { once = true }, function() return context("held") end)
