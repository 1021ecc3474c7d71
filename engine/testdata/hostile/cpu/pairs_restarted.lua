-- title: next with a fresh start for ever
-- expect: limit
on("pre_tool_call", function()
  local t = { a = 1, b = 2 }
  while next(t) do t.a, t.b = t.b, t.a end
end)
