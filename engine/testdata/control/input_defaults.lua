-- title: fills in what a call leaves out
-- event: pre_tool_call
-- given: {"tool_call": {"name": "bash", "input": {"command": "make test"}}}
-- want: {"modified": true, "input": {"command": "make test 2>&1 | tail -n 200", "timeout": 120}}
on("pre_tool_call", { match = "bash" }, function(ev)
  local input = ev.tool_call.input
  if input.command:find("^make ") and not input.command:find("|", 1, true) then
    return modify({ command = input.command .. " 2>&1 | tail -n 200", timeout = input.timeout or 120 })
  end
end)
