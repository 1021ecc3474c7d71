-- Refuses a push to main and names the way that is open.
local protected = { main = true, master = true }

on("pre_tool_call", { name = "protect-main", match = { kind = "shell" } }, function(ev)
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    for _, push in ipairs(cmd.git and cmd.git.pushes or {}) do
      if push.any or protected[push.branch] then
        return deny("Cannot push to main branch. Use a feature branch: git push -u origin HEAD:my-change, then open a pull request.")
      end
    end
  end
end)
