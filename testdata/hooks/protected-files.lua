-- Files that no tool may write: secrets, lock files, git's own.
on("pre_tool_call", { name = "protected-files", match = { kind = "write|edit", path = "**/.env|**/.env.*|**/package-lock.json|**/.git/**" } }, function(ev)
  return deny(("%s is protected; ask the user to change it"):format(table.concat(ev.tool_call.paths, ", ")))
end)
