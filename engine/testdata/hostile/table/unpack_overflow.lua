-- title: more values than the stack has room for
-- expect: limit or error
on("pre_tool_call", function()
  local t = {}
  for i = 1, 7900 do t[i] = i end
  local function both(...) return select("#", ...) end
  return both(unpack(t)) + both(both(unpack(t)), unpack(t)) + select("#", (function(...) return ..., unpack(t) end)(unpack(t)))
end)
