-- title: a string that doubles behind a metamethod
-- expect: limit memory
on("pre_tool_call", function()
  local box = setmetatable({}, { __concat = function(_, s) return s .. s end })
  local s = "x"
  while true do s = box .. s end
end)
