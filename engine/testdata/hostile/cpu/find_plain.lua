-- title: a plain search for what is almost everywhere
-- expect: limit
on("pre_tool_call", function()
  local s, part = ("a"):rep(2e6), ("a"):rep(1e5) .. "b"
  while true do
    s:find(part, 1, true)
    text.contains(s, part)
  end
end)
