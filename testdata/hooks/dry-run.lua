-- Makes terraform plan instead of apply, and answers a known question itself.
on("pre_tool_call", { name = "dry-run", match = { kind = "shell" } }, function(ev)
  local command = ev.tool_call.command
  if re.match(command, [[^terraform apply\b]]) then
    return modify{ command = re.replace(command, [[^terraform apply\b]], "terraform plan") },
      context("terraform apply was turned into plan; a person applies it.")
  end
  if text.trim(command) == "nproc" then
    return respond("8\n")
  end
end)
