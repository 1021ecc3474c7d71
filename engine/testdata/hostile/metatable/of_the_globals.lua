-- title: a metatable for the globals
-- expect: ok
on("pre_tool_call", function()
  assert(not pcall(setmetatable, _G, { __index = function() return print end }))
  assert(not getmetatable(_G))
  assert(not pcall(setmetatable, _G, nil))
  assert(unknown_name == nil)
  return context("held")
end)
