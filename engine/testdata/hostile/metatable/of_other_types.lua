-- title: a metatable for all numbers, all functions, nil and coroutines
-- expect: ok
on("pre_tool_call", function(ev)
  local meta = { __index = function() return "evil" end, __call = function() return "evil" end, __add = function() return "evil" end }
  for _, v in ipairs({ 1, true, print, coroutine.create(function() end), ev, json.null, deny("x"), re.compile("x") }) do
    assert(not pcall(setmetatable, v, meta))
  end
  assert(not pcall(setmetatable, nil, meta))
  assert(not pcall(function() return (5).x end) and not pcall(function() return print.x end))
  return context("held")
end)
