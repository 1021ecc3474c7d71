-- title: a numeric loop that stands still
-- expect: limit instructions
on("pre_tool_call", function()
  for _ = 10, 1, 0 do end
end)
