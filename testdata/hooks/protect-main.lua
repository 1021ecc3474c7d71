-- Refuses a push to main and names the way that is open.
local function pushes_to_main(cmd)
  if cmd.name ~= "git" or cmd:subcommand() ~= "push" then
    return false
  end
  for _, ref in ipairs(cmd:operands()) do
    local target = ref:gsub("^%+", ""):match(":(.+)$") or ref:gsub("^%+", "")
    if target == "main" or target == "master" or text.ends_with(target, "heads/main") then
      return true
    end
  end
  return false
end

on("pre_tool_call", { name = "protect-main", match = { kind = "shell" } }, function(ev)
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    if pushes_to_main(cmd) then
      return deny("Cannot push to main branch. Use a feature branch: git push -u origin HEAD:my-change, then open a pull request.")
    end
  end
end)
