-- title: the metatable that all strings share
-- expect: ok
on("pre_tool_call", function()
  assert(getmetatable("") == false)
  assert(not pcall(setmetatable, "", { __index = {} }))
  assert(not pcall(function() getmetatable("").__index = {} end))
  assert(not pcall(rawset, getmetatable(""), "__index", {}))
  assert(("x"):upper() == "X")
  return context("held")
end)
