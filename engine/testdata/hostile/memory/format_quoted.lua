-- title: quoting what grows by being quoted
-- expect: limit
on("pre_tool_call", function()
  local s = "\0\n\"\\\r"
  while true do s = string.format("%q", s) end
end)
