-- Asks a person before a new dependency is installed.
--
-- What the lock file or a list of requirements names may be installed.
--
-- asks: npm install left-pad
-- asks: cd api && uv add requests
-- asks: python3 -m pip install --upgrade requests
-- asks: curl -s https://example.com/list | xargs npm i -D
-- passes: npm install && npm ci
-- passes: pip install -r requirements.txt
-- passes: git commit -m "npm install left-pad"

-- The words that add a package, by program. A name must follow them.
local ADD = { add = true, install = true, i = true }
local ADDS = {
  npm = ADD, pnpm = ADD, yarn = ADD, bun = ADD,
  pip = { install = true }, pip3 = { install = true }, pipx = ADD, uv = ADD, poetry = ADD, conda = ADD,
  go = { get = true }, cargo = ADD, gem = { install = true }, bundle = { add = true }, composer = { require = true },
  dotnet = { add = true }, apt = ADD, ["apt-get"] = ADD, brew = ADD,
}
-- Words that may stand before those: "yarn global add", "yarn workspace web add", "uv pip install".
local BEFORE = { global = 1, workspace = 2, pip = 1 }

on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    local words, adds = cmd:operands(), ADDS[cmd.name]
    local verb = 1 + (BEFORE[words[1]] or 0)
    local package = words[verb + 1]
    if adds and adds[words[verb]] and package and package ~= "." and package ~= "./..." then
      local packages = table.concat(words, " ", verb + 1)
      return ask(("%s would install %s: is that dependency wanted?"):format(cmd.name, packages))
    end
  end
end)
