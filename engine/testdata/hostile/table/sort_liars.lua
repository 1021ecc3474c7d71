-- title: sorting by functions that contradict themselves
-- expect: ok or limit
on("pre_tool_call", function()
  local n = 0
  for _, less in ipairs({
    function() return true end, function() return false end, function() return 1 end,
    function(a, b) n = n + 1; return n % 3 == 0 end,
    function(a, b) return math.random() < 0.5 end,
    function(a, b) return a ~= b end, function(a, b) return a <= b end,
  }) do
    for size = 1, 60 do
      local t = {}
      for i = 1, size do t[i] = (i * 7) % 11 end
      pcall(table.sort, t, less)
      assert(#t == size)
    end
  end
  return context("held")
end)
