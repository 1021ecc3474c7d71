-- title: parsing a long line for ever
-- expect: limit
on("pre_tool_call", function()
  local s, kept = ("git push origin 'a b' >x 2>&1 | tee log && "):rep(50) .. "true", {}
  while true do kept[#kept + 1] = shell.parse(s) end
end)
