-- title: one byte of every run's long string, which holds all of it
-- expect: any
-- fires: 60
local hoard = {}
on("pre_tool_call", function()
  local s = ("h"):rep(40 * 2 ^ 20)
  hoard[#hoard + 1] = s:sub(2, 2)
end)
