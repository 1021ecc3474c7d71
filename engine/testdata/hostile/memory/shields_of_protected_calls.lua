-- title: protected calls that each leave thousands of values on their stack
-- expect: limit
on("pre_tool_call", function()
  local function fill(n, ...)
    if n == 0 then error("x") end
    return fill(n - 1, ("s"):rep(1000) .. n, ...)
  end
  while true do pcall(fill, 200) end
end)
