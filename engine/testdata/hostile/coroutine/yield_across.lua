-- title: yielding through what can't be suspended, and being resumed
-- expect: ok
on("pre_tool_call", function()
  local yield = function() return coroutine.yield("y") end
  for name, body in pairs({
    pcall = function() return pcall(yield) end,
    xpcall = function() return xpcall(yield, yield) end,
    gsub = function() return ("x"):gsub("x", yield) end,
    sort = function() return table.sort({ 3, 1, 2 }, yield) end,
    index = function() return setmetatable({}, { __index = yield }).x end,
    newindex = function() setmetatable({}, { __newindex = yield }).x = 1 end,
    tostring = function() return tostring(setmetatable({}, { __tostring = yield })) end,
    concat = function() return setmetatable({}, { __concat = yield }) .. "x" end,
    less = function() return setmetatable({}, { __lt = yield }) < setmetatable({}, { __lt = yield }) end,
    iterator = function() for _ in yield do end end,
    require = function() return require("none") end,
    inner = function() return coroutine.wrap(function() return pcall(yield) end)() end,
  }) do
    local co = coroutine.create(body)
    for _ = 1, 4 do coroutine.resume(co, "again") end
    local function after() return name end
    assert(after() == name)
  end
  return context("held")
end)
