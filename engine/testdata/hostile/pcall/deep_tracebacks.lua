-- title: errors raised and caught from a hundred calls deep
-- expect: limit
on("pre_tool_call", function()
  local function down(n)
    if n == 0 then
      while true do pcall(error, "x") end
    end
    local _ = down(n - 1)
  end
  down(150)
end)
