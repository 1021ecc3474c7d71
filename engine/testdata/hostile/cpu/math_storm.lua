-- title: the whole of math with the numbers it likes least
-- expect: limit
on("pre_tool_call", function()
  local numbers = { 0, -0, 1e308, -1e308, 5e-324, math.huge, -math.huge, 0 / 0, 2 ^ 53, 0.1 }
  while true do
    for name, f in pairs(math) do
      if type(f) == "function" then
        for _, a in ipairs(numbers) do
          for _, b in ipairs(numbers) do pcall(f, a, b) end
        end
      end
    end
  end
end)
