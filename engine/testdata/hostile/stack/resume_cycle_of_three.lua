-- title: three coroutines that resume one another in turn by wrap and pcall
-- expect: ok
on("pre_tool_call", function()
  local f = {}
  for i = 1, 3 do
    f[i] = coroutine.wrap(function()
      while true do coroutine.yield(pcall(f[i % 3 + 1])) end
    end)
  end
  for _ = 1, 100 do pcall(f[1]) end
  return context("held")
end)
