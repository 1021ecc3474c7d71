-- Shows the model another output.
on("post_tool_call", { match = { kind = "shell" } }, function()
  return output("this was replaced by a hook")
end)
