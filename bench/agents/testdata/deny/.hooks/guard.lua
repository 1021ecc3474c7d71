-- Refuses commands that make a file named marker.
on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  if text.contains(json.encode(ev.tool_call.input), "marker") then
    return deny("markers are made by hand in this project")
  end
end)
