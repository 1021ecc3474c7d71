-- title: errors from a hundred calls deep of functions with very long names
-- expect: limit or load error
on("pre_tool_call", function()
  local function f{{repeat 90000 "n"}}(n)
    if n == 0 then error("x") end
    local _ = f{{repeat 90000 "n"}}(n - 1)
    return _
  end
  while true do pcall(f{{repeat 90000 "n"}}, 150) end
end)
