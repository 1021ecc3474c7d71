-- title: formatting formats
-- expect: limit stack
on("pre_tool_call", function()
  local a = setmetatable({}, { __tostring = function(x) return string.format("<%s>", x) end })
  return string.format("%s", a)
end)
