-- Refuses a push to main or master, and asks where it can't be known what is pushed.
--
-- denies: git push origin main
-- denies: cd shop && git push --force origin HEAD:refs/heads/main
-- denies: git push origin :master
-- denies: git push --all
-- asks: git push origin "$BRANCH"
-- asks: git -C ../other push
-- passes: git push -u origin my-change
-- passes: git push origin main:review/main
-- passes: git push --tags
-- passes: git push --dry-run origin main
-- passes: git fetch origin main
-- passes: git commit -m "git push origin main"
local PROTECTED = { "main", "master" }

-- The branch that a push changes if it names none, or HEAD; nil if it can't be known. It takes the grant git.
local function current(push)
  if push.dir or push.elsewhere then
    return nil
  end
  local granted, branch = pcall(git.branch)
  return granted and branch or nil
end

-- Whether a push changes a branch, and whether that can't be known.
local function changes(push, name)
  local targets = {}
  for _, refspec in ipairs(push.refspecs) do
    targets[#targets + 1] = refspec.target
  end
  if #targets == 0 then
    targets[1] = ""
  end
  local unknown = false
  for _, target in ipairs(targets) do
    if target == "" or target == "HEAD" then
      target = current(push) or ""
      unknown = unknown or target == ""
    end
    target = target:gsub("^refs/heads/", "")
    if target == name or target == "*" or target == "refs/*" then
      return true, false
    end
  end
  return false, unknown
end

on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  local unsure = false
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    local push = cmd.git
    if push and push.subcommand == "push" and not push.dry_run then
      for _, name in ipairs(PROTECTED) do
        local yes, unknown = changes(push, name)
        if yes then
          return deny(("no push to %s: push a branch (git push -u origin HEAD:my-change) and open a pull request"):format(name))
        end
        unsure = unsure or unknown or cmd.dynamic
      end
    end
  end
  if unsure then
    return ask("which branch this pushes to can't be known before it runs")
  end
end)
