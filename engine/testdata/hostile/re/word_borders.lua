-- title: a search from every word of a long text
-- expect: limit
on("pre_tool_call", function()
  local s = ("word "):rep(5e5)
  while true do re.replace(s, [[\b(\w+)\s+(\w+)\s+(\w+)$]], "$3") end
end)
