-- Turns npm commands into pnpm commands.
--
-- What npm and pnpm spell alike is rewritten; for the rest the agent is told what to use.
--
-- denies: npm ci && npm test
-- denies: sudo npm publish
-- denies: npm install --omit=dev
-- denies: bash -c "npm test"
-- passes: pnpm install
-- passes: git commit -m "npm fix"
-- passes: echo npm install
local SAME = { install = true, i = true, run = true, ["run-script"] = true, test = true, t = true, start = true }
local SAME_OPTIONS = {
  ["-D"] = true, ["--save-dev"] = true, ["-E"] = true, ["--save-exact"] = true, ["-g"] = true, ["--global"] = true,
}

-- Whether pnpm takes the same words.
local function is_same(cmd)
  local verb = cmd:subcommand()
  if verb == "install" or verb == "i" then
    for _, word in ipairs(cmd.args) do
      if text.starts_with(word, "-") and not SAME_OPTIONS[word] then
        return false
      end
    end
  end
  return SAME[verb] or false
end

on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  local rewritten
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    if cmd.name == "npm" then
      rewritten = is_same(cmd) and cmd:replace_name("pnpm") -- the whole line, with all names replaced so far
      if not rewritten then
        return deny("this project uses pnpm: write the same for pnpm (npm ci is pnpm install --frozen-lockfile)")
      end
    end
  end
  if rewritten then
    return modify{ command = rewritten }
  end
end)
