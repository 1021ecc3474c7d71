-- Tells the agent when the coverage of a package falls below 70 %.
on("post_tool_call", { name = "coverage", match = { kind = "shell" } }, function(ev)
  if ev.tool_call.command:find("-cover", 1, true) then
    local percent = tonumber(tostring(ev.tool_call.output):match("coverage: ([%d.]+)%%"))
    if percent < 70 then
      return context(("Coverage is %.1f %%, and 70 %% is wanted."):format(percent))
    end
  end
end)

-- Counts lines that a new file has twice. It compares each with each, which is too much for a long one.
on("post_tool_call", { name = "repeated-lines", match = "write", on_failure = "warn" }, function(ev)
  local lines, twice = {}, 0
  for line in (ev.tool_call.input.content or ""):gmatch("[^\n]+") do
    for _, other in ipairs(lines) do
      if line == other and #line > 20 then
        twice = twice + 1
      end
    end
    lines[#lines + 1] = line
  end
  if twice > 3 then
    return message(("%d lines of %s are there twice"):format(twice, ev.tool_call.paths[1]))
  end
end)
