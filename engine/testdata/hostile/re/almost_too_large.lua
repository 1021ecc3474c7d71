-- title: the largest program that is allowed, over a long text, for ever
-- expect: limit
on("pre_tool_call", function()
  local s = ("ab"):rep(2e6)
  while true do re.find(s, "([ab]?){500}([ab]?){400}c$") end
end)
