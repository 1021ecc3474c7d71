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

-- The branch that is checked out; nil if it can't be known. It takes the grant git.
local function checked_out(push)
  if push.dir or push.elsewhere then -- another repository
    return nil
  end
  local granted, branch = pcall(git.branch)
  return granted and branch or nil
end

-- The branches that a push changes: names, patterns ("*" of --all), and "" for one that can't be known.
local function branches(push)
  local list = {}
  for i, refspec in ipairs(push.refspecs) do
    list[i] = refspec.target
  end
  list[1] = list[1] or "" -- a plain "git push"
  for i, branch in ipairs(list) do
    if branch == "" then
      branch = checked_out(push) or ""
    end
    list[i] = branch:gsub("^refs/", ""):gsub("^heads/", "")
  end
  return list
end

local function is(name, branch)
  return branch == name or text.ends_with(branch, "*") and text.starts_with(name, branch:sub(1, -2))
end

on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  local unknown
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    local push = cmd.git
    if push and (push.subcommand == "push" or push.subcommand == "send-pack") and not push.dry_run then
      unknown = unknown or cmd.dynamic
      for _, branch in ipairs(branches(push)) do
        unknown = unknown or branch == ""
        for _, name in ipairs(PROTECTED) do
          if is(name, branch) then
            return deny("no push to " .. name .. ": push a branch (git push -u origin my-change), open a pull request")
          end
        end
      end
    end
  end
  if unknown then
    return ask("which branch this pushes to can't be known before it runs")
  end
end)
