-- title: calls and returns over a stack of thousands of open upvalues
-- expect: limit
on("pre_tool_call", function()
  local keep
  local function nothing() end
  local function down(n)
    local {{repeat 90 "a%d, "}} z
    keep = function() return {{repeat 90 "a%d, "}} z end
    if n > 0 then
      down(n - 1)
      return z
    end
    while true do nothing(); nothing(); nothing(); nothing() end
  end
  down(140)
end)
