-- title: decoding ninety thousand values, for ever
-- expect: limit
on("pre_tool_call", function()
  local text, kept = "[" .. ("{},"):rep(9e4) .. "{}]", {}
  while true do kept[#kept + 1] = json.decode(text) end
end)
