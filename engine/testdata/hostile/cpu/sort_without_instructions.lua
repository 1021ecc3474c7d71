-- title: sorting with a function of Go, which runs no instruction
-- expect: limit or error
on("pre_tool_call", function()
  local t = {}
  for i = 1, 3e5 do t[i] = i % 977 end
  for _ = 1, 1e6 do table.sort(t, rawequal) end
end)
