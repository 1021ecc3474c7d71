-- title: one expression of a hundred long strings, for ever
-- expect: limit
on("pre_tool_call", function()
  local s = ("x"):rep(1e4)
  while true do local _ = {{repeat 100 "s .. "}} s end
end)
