-- Refuses commits and pushes that go past git's own hooks, and changes of these hooks.
--
-- "skips_hooks" knows --no-verify, another folder of hooks, and the switches of husky and lefthook. SKIP is that of
-- pre-commit.
--
-- denies: git commit --no-verify -m "wip"
-- denies: cd api && git commit -anm wip
-- denies: git -c core.hooksPath=/dev/null push
-- denies: export HUSKY=0; git commit -m x
-- denies: chmod -x .git/hooks/pre-commit
-- passes: git commit -m "don't use --no-verify"
-- passes: git log -n 5
local HOOKS = "**/.git/hooks/**|**/.husky/**|.pre-commit-config.yaml|lefthook.yml"

local function changed(name)
  return deny("git's hooks stay as they are: ask the user to change " .. name)
end

on("pre_tool_call", { match = { kind = "write|edit", path = HOOKS } }, function(ev)
  return changed(table.concat(ev.tool_call.paths, ", "))
end)

on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  for _, cmd in ipairs(shell.parse(ev.tool_call.command, { cwd = ev.cwd }).commands) do
    local git = cmd.git
    local moved = git and git.stored and git.stored.key == "core.hookspath" -- git config core.hooksPath ...
    if git and (git.skips_hooks or cmd.env.SKIP) or moved then
      return deny("git's hooks have to run: fix what they complain about, and leave out what keeps them from running")
    end
    for _, file in ipairs(cmd:files("write", "delete")) do
      for _, name in ipairs(file.reach or { file.path }) do -- "reach": all that "rm -r" and the like touch
        if path.match(HOOKS, name) then
          return changed(name)
        end
      end
    end
  end
end)
