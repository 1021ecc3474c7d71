-- title: a separator that begins everywhere and never ends
-- expect: limit
on("pre_tool_call", function()
  local many = ("ab"):rep(2^22)
  for i = 1, 1000 do text.split(many, ("ab"):rep(2^10) .. "c") end
end)
