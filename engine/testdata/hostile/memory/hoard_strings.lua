-- title: thirty megabytes from every run, kept in a local of the file
-- expect: any
-- fires: 60
local hoard = {}
on("pre_tool_call", function(ev)
  hoard[#hoard + 1] = ("h"):rep(30 * 2 ^ 20)
end)
