-- Refuses a push to main or master, and asks where it can't be known what is pushed.
--
-- denies: git push origin main
-- denies: cd shop && git push --force origin HEAD:refs/heads/main
-- denies: git push origin :master
-- denies: git push --all
-- asks: git push origin "$BRANCH"
-- asks: cd ../other && git push
-- passes: git push -u origin my-change
-- passes: git push origin main:review/main
-- passes: git push --tags
-- passes: git push --dry-run origin main
-- passes: git fetch origin main
-- passes: git commit -m "git push origin main"
local PROTECTED = { main = true, master = true }

-- The branch that a push changes; nil if it can't be known. For a plain "git push" that is the one that is checked out
-- here, which takes the grant git.
local function branch_of(push, cmd, root)
  local here = cmd.dir and path.inside(root, cmd.dir) and not cmd.git.dir and not cmd.git.elsewhere
  if push.branch or not push.current or not here then
    return push.branch
  end
  local granted, branch = pcall(git.branch)
  return granted and branch or nil
end

on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  local unknown
  for _, cmd in ipairs(shell.parse(ev.tool_call.command, { cwd = ev.cwd }).commands) do
    for _, push in ipairs(cmd.git and cmd.git.pushes or {}) do
      local branch = branch_of(push, cmd, ev.root)
      if PROTECTED[branch] then
        return deny("no push to " .. branch .. ": push a branch (git push -u origin my-change), open a pull request")
      elseif push.any and not cmd.dynamic then -- such as --all
        return deny("name the branch that you push, so that it isn't main: git push -u origin my-change")
      end
      unknown = unknown or not branch
    end
  end
  if unknown then
    return ask("which branch this pushes to can't be known before it runs")
  end
end)
