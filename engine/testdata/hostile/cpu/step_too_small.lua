-- title: a numeric loop whose step is lost in rounding
-- expect: limit instructions
on("pre_tool_call", function()
  for _ = 2 ^ 53, 2 ^ 53 + 4, 1e-3 do end
end)
