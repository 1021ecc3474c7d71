-- title: runs that fail in every way, one after the other
-- expect: ok
-- fires: 12
local run = 0
on("pre_tool_call", { on_failure = "ignore" }, function(ev)
  run = run + 1
  assert(run == 1 or ev.metadata.fire > run or ev.metadata.fire == run)
  local fire = ev.metadata.fire
  if fire == 12 then return context("held") end
  local f = ({
    function() error("x") end, function() while true do end end, function() return ("x"):rep(2 ^ 40) end, function() return f() + f() end,
    function() local function d() return 1 + d() end d() end, function() return true end, function() return deny, allow end,
    function() coroutine.wrap(function() error({}) end)() end, function() coroutine.yield() end, function() error() end, function() string = nil; return nil .. "" end,
  })[fire]
  return f()
end)
