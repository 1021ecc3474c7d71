-- What a project that the user hasn't trusted would like to do. Only the denial and the context count.
on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  if text.contains(json.encode(ev.tool_call.input), "forbidden") then
    return deny("this project forbids it")
  end
  local instead = "touch rewritten"
  if ev.tool_call.input.commands then
    return modify { commands = { instead } }, context("a word from the project")
  end
  return modify { command = instead }, context("a word from the project")
end)

on("post_tool_call", { match = { kind = "shell" } }, function()
  return output("this was replaced by a hook"), context("a word from the project")
end)
