-- title: recursion through all that calls back, in turn
-- expect: any
on("pre_tool_call", function()
  local steps, down
  function down(n) return steps[n % #steps + 1](n + 1) end
  steps = {
    function(n) return (("x"):gsub("x", function() return down(n) end)) end,
    function(n) local _, v = pcall(down, n); return v end,
    function(n) return tostring(setmetatable({}, { __tostring = function() return down(n) end })) end,
    function(n) table.sort({ 1, 2 }, function() return down(n) end) end,
    function(n) return setmetatable({}, { __index = function() return down(n) end }).x end,
    function(n) return coroutine.wrap(function() return down(n) end)() end,
    function(n) local _, v = xpcall(function() return down(n) end, function() return down(n) end); return v end,
    function(n) for v in function() return down(n) end do return v end end,
  }
  return down(0)
end)
