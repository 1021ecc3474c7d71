-- title: the metatables of patterns, commands, answers, null, long numbers and events
-- expect: ok
on("pre_tool_call", function(ev)
  local evil = function() return "evil" end
  local line = shell.parse("git push")
  for _, v in ipairs({ re.compile("a"), line, line.commands[1], line.commands, deny("x"), json.null, json.decode("[12345678901234567890]")[1], ev, ev.tool_call, ev.tool_call.input, json.array() }) do
    local meta = getmetatable(v)
    assert(type(meta) ~= "table", tostring(v))
    if meta then assert(not pcall(setmetatable, v, nil)) end
    assert(not pcall(function() meta.__index = evil end))
  end
  assert(not pcall(function() re.compile("a").match = evil end))
  assert(shell.parse("git push").commands[1]:subcommand() == "push")
  return context("held")
end)
