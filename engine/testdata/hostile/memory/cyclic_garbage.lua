-- title: circles of tables that nobody holds
-- expect: limit
on("pre_tool_call", function()
  while true do
    local a, b = {}, {}
    a.b, b.a, a[1], b[1] = b, a, a, b
  end
end)
