-- title: globals whose names are no names
-- expect: ok
-- fires: 2
on("pre_tool_call", function(ev)
  for k in pairs(_G) do assert(type(k) == "string") end
  local t = {}
  _G[1], _G[true], _G[t], _G[0.5], _G[print], _G[-1] = 1, 2, 3, 4, 5, 6
  rawset(_G, 2 ^ 53, 1)
  table.insert(_G, "x")
  pcall(function() _G[ev] = 1 end)
  return context("held")
end)
