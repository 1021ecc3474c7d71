-- title: reading numbers of five million digits
-- expect: limit
on("pre_tool_call", function()
  local digits = ("9"):rep(5e6)
  while true do
    tonumber(digits)
    tonumber(digits, 36)
    tonumber("0x" .. digits)
    tonumber("." .. digits .. "e5")
  end
end)
