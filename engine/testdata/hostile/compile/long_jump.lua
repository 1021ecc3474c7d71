-- title: a loop so long that its jump back doesn't fit
-- expect: load error or ok
on("pre_tool_call", function()
  local a = 0
  for _ = 1, 2 do
    {{repeat 45000 "a=a+1 "}}
  end
  assert(a == 90000, a)
  return context("held")
end)
