-- title: no name reaches what stands behind an operator
-- expect: ok
on("pre_tool_call", function()
  local s = "a" .. tostring(1)
  local t = {}
  t[s] = 1
  for name in pairs(_G) do assert(type(name) == "string" and name:find("^[%a_][%w_]*$"), name) end
  for _, name in ipairs({ "(concat)", "(store)", "(set)", "(key)", "\0cat", "concat", "settable" }) do assert(_G[name] == nil, name) end
  local _, why = pcall(function() return {} .. {} end)
  assert(not tostring(why):find("panic"))
  return context("held")
end)
