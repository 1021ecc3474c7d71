-- title: a way of megabytes from one path to another
-- expect: limit or error
on("pre_tool_call", function()
  local kept = {}
  while true do kept[#kept + 1] = path.rel(("a/"):rep(5e5), ("b/"):rep(5e5)) end
end)
