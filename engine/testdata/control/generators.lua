-- title: coroutines as generators, one feeding the other
-- event: pre_tool_call
-- want: {"data": {"sum": 233168, "words": "fixed-the-rounding"}}
local function numbers(limit)
  return coroutine.wrap(function() for i = 1, limit - 1 do coroutine.yield(i) end end)
end
local function only(source, test)
  return coroutine.wrap(function()
    for v in source do
      if test(v) then coroutine.yield(v) end
    end
  end)
end
on("pre_tool_call", function()
  local sum = 0
  for n in only(numbers(1000), function(n) return n % 3 == 0 or n % 5 == 0 end) do sum = sum + n end
  local words = {}
  for word in coroutine.wrap(function() for w in ("Fixed the rounding"):gmatch("%a+") do coroutine.yield(w:lower()) end end) do words[#words + 1] = word end
  return { data = { sum = sum, words = table.concat(words, "-") } }
end)
