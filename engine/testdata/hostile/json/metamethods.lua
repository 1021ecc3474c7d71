-- title: encoding asks no metamethod
-- expect: ok
on("pre_tool_call", function()
  local spin = function() while true do end end
  local t = setmetatable({ a = 1 }, { __index = spin, __len = spin, __pairs = spin, __tostring = spin, __call = spin })
  local ok, s = pcall(json.encode, t)
  assert(not ok or s == '{"a":1}')
  return context("held")
end)
