-- title: handlers that are no functions, fail, yield, and return too much
-- expect: ok
on("pre_tool_call", function()
  assert(not pcall(xpcall, error, nil) or true)
  assert(not xpcall(error, error))
  assert(not xpcall(error, print))
  assert(not xpcall(nil, function() return 1 end))
  assert(not xpcall(error, function() return error() end))
  assert(not xpcall(error, coroutine.yield))
  assert(not xpcall(error, setmetatable({}, { __call = function() error({}) end })))
  local t = {}
  for i = 1, 5000 do t[i] = i end
  assert(not xpcall(error, function() return unpack(t) end))
  return context("held")
end)
