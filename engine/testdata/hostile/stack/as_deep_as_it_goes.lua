-- title: callbacks as deep as a stack is, a protected call, and that again
-- expect: limit
on("pre_tool_call", function()
  local down
  local function back(n) return function() down(n + 1); return "" end end
  function down(n)
    if n % 60 == 59 then
      pcall(back(n))
    else
      local _ = ("x"):gsub("x", back(n))
    end
  end
  down(0)
  return context("held")
end)
