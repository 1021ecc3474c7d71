-- title: multiplies matrices of forty by forty
-- event: pre_tool_call
-- want: {"data": {"trace": 22140, "corner": 1600}}
on("pre_tool_call", function()
  local n, a, b, c = 40, {}, {}, {}
  for i = 1, n do
    a[i], b[i], c[i] = {}, {}, {}
    for j = 1, n do a[i][j], b[i][j] = i, j end
  end
  for i = 1, n do
    for j = 1, n do
      local sum = 0
      for k = 1, n do sum = sum + a[i][k] * b[k][j] end
      c[i][j] = sum / n
    end
  end
  local trace = 0
  for i = 1, n do trace = trace + c[i][i] end
  return { data = { trace = trace, corner = c[n][n] } }
end)
