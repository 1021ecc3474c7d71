-- title: printing doesn't reach the host's output
-- expect: ok
on("pre_tool_call", function(ev)
  print("spill", ev, {}, nil, true)
  for _, level in ipairs({ "debug", "info", "warn", "error" }) do log[level]("spill", { a = 1 }) end
  print(setmetatable({}, { __tostring = function() return "spill" end }))
  pcall(print, setmetatable({}, { __tostring = function() return {} end }))
  return context("held")
end)
