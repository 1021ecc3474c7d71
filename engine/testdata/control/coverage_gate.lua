-- title: reads 200 KB of test output line by line
-- event: post_tool_call
-- output: 200000
-- want: {"data": {"packages": 2817, "lowest": 81.2}}
on("post_tool_call", function(ev)
  local packages, lowest = 0, 100
  for line in ev.tool_call.output:gmatch("[^\n]+") do
    local name, share = line:match("^ok%s+(%S+).-coverage: ([%d.]+)%%")
    if name then
      packages = packages + 1
      lowest = math.min(lowest, tonumber(share))
    end
  end
  return { data = { packages = packages, lowest = lowest } }
end)
