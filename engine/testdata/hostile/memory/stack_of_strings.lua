-- title: recursion that holds a long string in every frame
-- expect: limit
on("pre_tool_call", function()
  local function down(n)
    local s = ("f"):rep(2e6) .. n
    return down(n + 1) .. s
  end
  return down(1)
end)
