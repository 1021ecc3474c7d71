-- title: whole numbers at the end of a text that grows, caught
-- expect: limit memory
on("pre_tool_call", function()
  local n, s = json.decode("-123456789012345678901234567890"), "x"
  for i = 1, 400 do pcall(function() s = s .. s .. n end) end
end)
