-- title: closures that hold on to what each run has built
-- expect: any
-- fires: 40
local last = function() end
on("pre_tool_call", function()
  local s, before = ("c"):rep(30 * 2 ^ 20), last
  last = function() return s, before end
end)
