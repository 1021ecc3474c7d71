-- title: events, options and functions that are none
-- expect: ok
local n = 0
for _, args in ipairs({
  {}, { "pre_tool_call" }, { "none", print }, { ("pre_tool_cal"):rep(1e5), print }, { 5, print }, { "stop", 5 }, { "stop", {}, 5 }, { "stop", {}, print, 5 },
  { "stop", { priority = 1e308 }, print }, { "stop", { priority = 0 / 0 }, print }, { "stop", { priority = {} }, print }, { "stop", { timeout = "1000h" }, print }, { "stop", { timeout = "-1s" }, print },
  { "stop", { timeout = 5 }, print }, { "stop", { name = "" }, print }, { "stop", { match = {} , x = 1 }, print }, { "stop", { [1] = 2 }, print }, { "stop", { [print] = 2 }, print },
  { "pre_tool_call", { match = "/(/" }, print }, { "pre_tool_call", { match = "/" .. ("(a{100}){100}"):rep(10) .. "/" }, print }, { "pre_tool_call", { match = ("{a,b}"):rep(1000) }, print },
  { "pre_tool_call", { match = ("*"):rep(1e5) }, print }, { "pre_tool_call", { match = { path = ("**/"):rep(1e4) } }, print }, { "pre_tool_call", { on_failure = "explode" }, print },
}) do
  if not pcall(on, unpack(args)) then n = n + 1 end
end
on("pre_tool_call", function()
  assert(n > 15, n)
  return context("held")
end)
