-- title: trimming and cutting ten megabytes for ever
-- expect: limit
on("pre_tool_call", function()
  local s = ("x"):rep(1e7) .. " "
  while true do
    text.trim(s); text.truncate(s, 9e6); text.starts_with(s, s); text.contains(s, "y")
  end
end)
