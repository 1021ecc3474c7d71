-- title: recursion with two hundred locals in every frame
-- expect: limit stack
on("pre_tool_call", function()
  local function down(n)
    local {{repeat 180 "a%d, "}} z
    return n + down(n + 1)
  end
  return down(1)
end)
