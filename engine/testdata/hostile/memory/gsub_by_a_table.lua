-- title: a replacement that is looked up and long
-- expect: limit memory
on("pre_tool_call", function()
  local long = ("z"):rep(2 ^ 20)
  return ((" "):rep(1e5):gsub(".", setmetatable({}, { __index = function() return long end })))
end)
