-- title: the same with a key that is computed
-- expect: error
on("pre_tool_call", function(ev)
  local a = {}
  setmetatable(a, { __newindex = a })
  a[ev.event] = 1
end)
