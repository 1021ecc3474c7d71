-- title: sorting within the comparison of a sort
-- expect: limit stack
on("pre_tool_call", function()
  local function sort(a, b) table.sort({ 3, 2, 1 }, sort); return false end
  sort()
end)
