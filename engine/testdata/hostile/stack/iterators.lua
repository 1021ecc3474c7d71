-- title: a loop whose iterator runs the loop
-- expect: limit stack
on("pre_tool_call", function()
  local function each() for _ in each do end end
  each()
end)
