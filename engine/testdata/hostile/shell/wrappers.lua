-- title: sudo of sudo of sudo, and a shell in a shell in a shell
-- expect: ok or limit or error
on("pre_tool_call", function()
  shell.parse(("sudo "):rep(1e5) .. "rm -rf /")
  shell.parse(("env -S "):rep(5000) .. "x")
  shell.parse(("xargs bash -c "):rep(5000) .. "x")
  local s = "ls"
  for _ = 1, 14 do s = "bash -c " .. shell.quote(s) end
  shell.parse(s)
  return context("held")
end)
