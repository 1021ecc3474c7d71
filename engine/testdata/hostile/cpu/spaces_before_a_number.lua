-- title: reading a number behind eight million blanks
-- expect: limit
on("pre_tool_call", function()
  local s = (" "):rep(2 ^ 23) .. "1"
  while true do
    tonumber(s)
    local _ = s + 1
  end
end)
