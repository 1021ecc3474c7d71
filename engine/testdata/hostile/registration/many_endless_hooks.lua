-- title: a thousand hooks for one event, each of which uses all it may
-- expect: any
for i = 1, 1000 do
  on("pre_tool_call", { name = "hook" .. i, on_failure = "ignore" }, function() while true do end end)
end
