-- title: one error from a hundred calls deep of functions with very long names
-- expect: error
on("pre_tool_call", function()
  local function f{{repeat 90000 "n"}}(n)
    if n == 0 then error("x") end
    local _ = f{{repeat 90000 "n"}}(n - 1)
    return _
  end
  f{{repeat 90000 "n"}}(150)
end)
