-- title: an object whose __call is an object whose __call is an object
-- expect: limit or error
on("pre_tool_call", function()
  local t = {}
  for _ = 1, 3e5 do t = setmetatable({}, { __call = t }) end
  return t()
end)
