-- Refuses changes of .env files and lock files, by tools and by shell commands.
--
-- It may read them, and change .env.example. Package managers go on writing their lock files, because a command
-- such as "npm install" names no file.
--
-- denies: echo "DEBUG=1" >> config/.env
-- denies: cd api && sed -i 's/1.0/1.1/' package-lock.json
-- denies: bash -c "mv .env.new .env"
-- passes: grep DEBUG .env
-- passes: cp .env.example .env.sample
-- passes: git commit -m "write the key to .env"

-- A name without a slash means a file of that name in any folder.
local PROTECTED = table.concat({
  ".env", ".env.{local,dev,development,prod,production,staging}", ".env.*.local",
  "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "go.sum", "Cargo.lock", "poetry.lock", "uv.lock",
  "Gemfile.lock", "composer.lock",
}, "|")

-- The files that a call would change. A tool for files names them; of a shell's line they are what its commands
-- write and delete. "reach" is all that a command touches if that is more than one file, as with "rm -r".
local function changed_by(ev)
  if ev.tool_call.kind ~= "shell" then
    return ev.tool_call.files
  end
  local names = {}
  for _, cmd in ipairs(shell.parse(ev.tool_call.command, { cwd = ev.cwd }).commands) do
    for _, file in ipairs(cmd:files("write", "delete")) do
      for _, name in ipairs(file.reach or { file.path }) do
        names[#names + 1] = name
      end
    end
  end
  return names
end

on("pre_tool_call", { match = { kind = "write|edit|shell" } }, function(ev)
  for _, name in ipairs(changed_by(ev)) do
    if path.match(PROTECTED, name) then
      return deny(name .. " is protected: ask the user to change it")
    end
  end
end)
