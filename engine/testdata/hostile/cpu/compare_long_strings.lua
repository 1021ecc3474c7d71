-- title: comparing two equal strings of 4 MiB, an instruction each time
-- expect: limit
on("pre_tool_call", function()
  local a, b = ("q"):rep(2 ^ 22), ("q"):rep(2 ^ 22)
  local n = 0
  for _ = 1, 1e7 do
    if a == b then n = n + 1 end
    if a < b then n = n - 1 end
  end
end)
