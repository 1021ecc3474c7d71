-- title: the chunk's argument is the script's own
-- expect: ok
-- fires: 2
local with = ...
on("pre_tool_call", function()
  assert(type(with) == "table" and getmetatable(with) == nil)
  with.mark = 1
  return context("held")
end)
