-- title: coroutines of functions of Go
-- expect: ok
on("pre_tool_call", function()
  for _, f in ipairs({ string.rep, print, pcall, error, unpack, require, json.encode, on, deny }) do
    assert(not pcall(coroutine.create, f))
    assert(not pcall(coroutine.wrap, f))
  end
  for _, v in ipairs({ 1, "x", {}, setmetatable({}, { __call = function() end }) }) do assert(not pcall(coroutine.create, v)) end
  assert(not pcall(coroutine.create))
  assert(not pcall(coroutine.resume))
  assert(not pcall(coroutine.resume, {}))
  assert(not pcall(coroutine.status, 1))
  return context("held")
end)
