-- title: hooks that rewrite in turn, so that each must judge the others' work
-- expect: any
for i = 1, 300 do
  on("pre_tool_call", { name = "hook" .. i, on_failure = "ignore" }, function(ev)
    return modify({ timeout = (ev.tool_call.input.timeout or 0) + 1 })
  end)
end
