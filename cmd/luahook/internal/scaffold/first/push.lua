-- A first hook: the agent must not push to main.
--
-- luahook calls this function before the agent runs a shell command. shell.parse says which commands a line would run:
-- also those behind sudo, in $(...) and in bash -c, and none that a text only mentions; git.pushes has the branches of
-- the remote that a command changes. Whoever answers deny(...) stops the call, and the agent reads the reason: say what
-- to do instead. ask(...) lets you decide, no answer is no opinion.
--
-- Lines like these are tests, which `luahook test` runs; push_test.lua has more:
--
-- denies: git push origin main
-- denies: cd shop && git push --force origin HEAD:main
-- denies: git push --all
-- asks: git push
-- passes: git push origin my-change
-- passes: git commit -m "git push origin main"

on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  local current = false
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    for _, push in ipairs(cmd.git and cmd.git.pushes or {}) do
      if push.branch == "main" or push.any then -- any: it may be any branch, as with --all
        return deny("no push to main: push a branch (git push -u origin HEAD:my-change) and open a pull request")
      end
      current = current or push.current
    end
  end
  -- A plain "git push" pushes the branch that is checked out. A hook needs a grant to look which that is, as
  -- protect-main of the cookbook does (luahook init --example protect-main); without one, you are asked.
  if current then
    return ask("this pushes the branch that is checked out, which may be main")
  end
end)
