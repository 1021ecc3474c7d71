-- title: four runs at once that build the longest string they may
-- expect: limit memory
-- goroutines: 4
on("pre_tool_call", function()
  local s = "x"
  while true do s = s .. s end
end)
