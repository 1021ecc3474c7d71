-- title: turning numbers into text for ever
-- expect: limit
on("pre_tool_call", function()
  local x = 0.1
  while true do
    local s = x .. "" .. x .. x .. x .. x .. x .. x .. x
    x = x + #s / 3
  end
end)
