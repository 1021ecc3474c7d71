-- title: a word of every run's long string, by match, split and find
-- expect: any
-- fires: 40
local hoard = {}
on("pre_tool_call", function()
  local s = ("h"):rep(40 * 2 ^ 20 - 100) .. " end of it"
  hoard[#hoard + 1] = s:match("%a+$", -5)
  hoard[#hoard + 1] = text.split(s:sub(-9), " ")[2]
  hoard[#hoard + 1] = { s:find("(of)", -20) }
end)
