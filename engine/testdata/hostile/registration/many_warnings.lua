-- title: hundreds of hooks that each fail with a long message
-- expect: any
for i = 1, 300 do
  on("pre_tool_call", { name = "hook" .. i, on_failure = "warn" }, function() error(("e"):rep(6e6)) end)
end
