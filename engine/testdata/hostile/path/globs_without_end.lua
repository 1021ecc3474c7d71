-- title: stars over stars over a deep path
-- expect: limit or error
on("pre_tool_call", function()
  local deep = ("a/"):rep(8000) .. "b"
  while true do path.match(("**/a/"):rep(150) .. "c", deep) end
end)
