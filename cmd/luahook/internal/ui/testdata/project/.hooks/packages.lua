-- The shop's front end is built with pnpm: an npm command becomes one of pnpm.
on("pre_tool_call", { name = "pnpm", match = { kind = "shell" } }, function(ev)
  for _, cmd in ipairs(shell.parse(ev.tool_call.command, { cwd = ev.cwd }).commands) do
    if cmd.name == "npm" then
      local line = cmd:replace_name("pnpm")
      if line then
        return modify({ command = line }), message("npm became pnpm, which this project uses")
      end
      return deny("use pnpm in this project")
    end
  end
end)
