-- title: an object that is its own __call
-- expect: limit or error
on("pre_tool_call", function()
  local t = {}
  setmetatable(t, { __call = t })
  return t(1)
end)
