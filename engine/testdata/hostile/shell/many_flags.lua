-- title: thousands of options asked of thousands of words
-- expect: limit or error
on("pre_tool_call", function()
  local names = {}
  for i = 1, 5000 do names[i] = "--flag" .. i end
  local cmd = shell.parse("a " .. ("x "):rep(5000)).commands[1]
  assert(cmd)
  while true do cmd:flag(unpack(names)) end
end)
