-- Keeps git's own hooks in force: no commit or push goes past them.
--
-- That is --no-verify, another folder of hooks, the switches of husky, lefthook and pre-commit, and hooks that are
-- changed or removed.
--
-- denies: git commit --no-verify -m "wip"
-- denies: cd api && git commit -anm wip
-- denies: git -c core.hooksPath=/dev/null push
-- denies: export HUSKY=0; git commit -m x
-- denies: chmod -x .git/hooks/pre-commit
-- passes: git commit -m "don't use --no-verify"
-- passes: git log -n 5
local SWITCHES = { HUSKY = true, LEFTHOOK = true, SKIP = true, PRE_COMMIT_ALLOW_NO_CONFIG = true }

on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  local line = shell.parse(ev.tool_call.command, { cwd = ev.cwd })
  for _, cmd in ipairs(line.commands) do
    local git = cmd.git
    local stored = git and git.stored
    if git and git.skips_hooks or stored and stored.key == "core.hookspath" then
      return deny("git's hooks have to run: fix what they complain about, and leave out what keeps them from running")
    end
    for _, set in ipairs(cmd.assignments) do
      if SWITCHES[set.name] then
        return deny(set.name .. " switches git's hooks off: fix what they complain about")
      end
    end
    for _, file in ipairs(cmd:files("write", "delete")) do
      for _, name in ipairs(file.reach or { file.path }) do
        if path.match("**/.git/hooks/**|**/.husky/**", name) then
          return deny("git's hooks stay as they are: ask the user to change " .. name)
        end
      end
    end
  end
end)
