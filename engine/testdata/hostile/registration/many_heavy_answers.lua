-- title: hundreds of hooks that each answer with megabytes
-- expect: any
for i = 1, 300 do
  on("pre_tool_call", { name = "hook" .. i, on_failure = "ignore" }, function() return context(("c"):rep(7e6)), { data = { ["k" .. i] = ("d"):rep(7e6) } } end)
end
