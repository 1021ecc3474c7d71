-- A first hook: the agent must not push to main.
--
-- luahook calls this function before the agent runs a shell command. shell.parse says which commands a line would run:
-- also those behind sudo, in $(...) and in bash -c, and none that a text only mentions. Whoever answers deny(...) stops
-- the call, and the agent reads the reason: say what to do instead. ask(...) lets you decide, no answer is no opinion.
--
-- Lines like these are tests, which `luahook test` runs; push_test.lua has more:
--
-- denies: git push origin main
-- denies: cd shop && git push --force origin HEAD:main
-- passes: git push origin my-change
-- passes: git commit -m "git push origin main"

on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    if cmd.git and cmd.git.subcommand == "push" then
      for _, refspec in ipairs(cmd.git.refspecs) do
        if refspec.target == "main" then
          return deny("no push to main: push a branch (git push -u origin HEAD:my-change) and open a pull request")
        end
      end
    end
  end
end)
