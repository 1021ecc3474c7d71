-- title: catching the end of the memory and asking for less
-- expect: limit memory
on("pre_tool_call", function()
  local n = 40
  while n > 0 do
    pcall(string.rep, "x", 2 ^ n)
    n = n - 1
  end
  return context("held")
end)
