-- Turns npm commands into pnpm commands.
--
-- What npm and pnpm spell alike is rewritten; for the rest the agent is told what to use.
--
-- denies: npm ci && npm test
-- denies: sudo npm publish
-- denies: npm view react version
-- denies: npm install --omit=dev
-- passes: pnpm install
-- passes: git commit -m "npm fix"
-- passes: echo npm install
local SAME = { install = true, i = true, run = true, ["run-script"] = true, test = true, t = true, start = true }
local SAME_OPTIONS = {
  ["-D"] = true, ["--save-dev"] = true, ["-E"] = true, ["--save-exact"] = true, ["-g"] = true, ["--global"] = true,
}

-- The command as pnpm has it; nil if it has another one.
local function with_pnpm(cmd)
  local verb = cmd:subcommand()
  if not SAME[verb] or cmd.dynamic then
    return nil
  end
  local words = { "pnpm", unpack(cmd.args) }
  if verb == "install" or verb == "i" then
    local packages = #cmd:operands() - 1
    for i = 2, #words do
      if words[i] == verb and packages > 0 then
        words[i], packages = "add", 0
      elseif words[i]:find("^%-") and not SAME_OPTIONS[words[i]] then
        return nil
      end
    end
  end
  return shell.quote(unpack(words))
end

on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  local line = shell.parse(ev.tool_call.command)
  for _, cmd in ipairs(line.commands) do
    if cmd.name == "npm" then
      local alone = #line.commands == 1 and cmd.path == "npm" and #cmd.redirects == 0 and #cmd.assignments == 0
      local command = alone and with_pnpm(cmd)
      if not command then
        return deny("this project uses pnpm: run the same with pnpm (npm install PACKAGE is pnpm add PACKAGE, "
          .. "npm ci is pnpm install --frozen-lockfile)")
      end
      return modify{ command = command }
    end
  end
end)
