-- title: protecting one's own tables, and getting around it
-- expect: ok
on("pre_tool_call", function()
  local t = setmetatable({}, { __metatable = "mine", __index = { x = 1 } })
  assert(getmetatable(t) == "mine" and not pcall(setmetatable, t, {}) and t.x == 1)
  for _, name in ipairs({ "__gc", "__mode", "__pairs", "__close", "__name" }) do
    local u = setmetatable({}, { [name] = name == "__mode" and "kv" or function() error("called") end })
    assert(#u == 0 and next(u) == nil)
    for _ in pairs(u) do error("not empty") end
  end
  return context("held")
end)
