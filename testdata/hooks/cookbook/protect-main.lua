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

-- The branch that a command switches to; nil if it doesn't. "git checkout NAME" may as well be about a file.
local function switches_to(cmd)
  local verb = cmd.git and cmd.git.subcommand
  if verb == "switch" or verb == "checkout" then
    local new = cmd:flag("-c", "--create", "-C", "-b", "-B")
    local name = new or cmd.git.operands[1]
    return (new or verb == "switch" or PROTECTED[name]) and name
  end
end

-- The branch that is checked out here; nil if it can't be known. It takes the grant git.
local function checked_out(cmd, root)
  if cmd.dir and path.inside(root, cmd.dir) and not cmd.git.dir and not cmd.git.elsewhere then
    local granted, branch = pcall(git.branch)
    return granted and branch or nil
  end
end

on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  local switched, unknown
  for _, cmd in ipairs(shell.parse(ev.tool_call.command, { cwd = ev.cwd }).commands) do
    switched = switches_to(cmd) or switched
    for _, push in ipairs(cmd.git and cmd.git.pushes or {}) do
      -- A plain "git push" pushes the branch that is checked out.
      local branch = push.branch or push.current and (switched or checked_out(cmd, ev.root))
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
