-- title: the event as a number, a text, a function, a list and a key
-- expect: ok
on("pre_tool_call", function(ev)
  for _, use in ipairs({
    function() return #ev end, function() return ev + 1 end, function() return ev < ev end, function() return ev() end, function() return -ev end,
    function() return ev[1] end, function() return ev[nil] end, function() return ev[0 / 0] end, function() return ev[ev] end, function() return ev[{}] end,
    function() return ipairs(ev) end, function() return unpack(ev) end, function() return table.concat(ev) end, function() return next(ev, "none") end,
    function() return ("x"):rep(ev) end, function() return string.format("%d", ev) end, function() return math.floor(ev) end, function() return select(ev) end,
    function() return setmetatable({}, ev) end, function() return coroutine.wrap(ev) end, function() return table.sort(ev) end, function() return error(ev) end,
    function() return shell.parse(ev) end, function() return re.compile(ev) end, function() return deny(ev) end, function() return require(ev) end, function() return tonumber(ev) end,
  }) do pcall(use) end
  local t = { [ev] = 1 }
  assert(t[ev] == 1 and ev == ev and ev ~= ev.tool_call and type(tostring(ev)) == "string")
  return context("held")
end)
