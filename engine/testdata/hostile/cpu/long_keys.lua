-- title: hashing a key of 4 MiB, an instruction each time
-- expect: limit
on("pre_tool_call", function()
  local key, t = ("k"):rep(2 ^ 22), {}
  t[key] = 1
  for _ = 1, 1e7 do t[key] = t[key] + 1 end
end)
