-- title: hooks that rewrite at first and never end when they judge
-- expect: any
for i = 1, 200 do
  on("pre_tool_call", { name = "hook" .. i, on_failure = "ignore" }, function(ev)
    if ev.judging then while true do end end
    return modify({ env = { ["k" .. i] = i } })
  end)
end
