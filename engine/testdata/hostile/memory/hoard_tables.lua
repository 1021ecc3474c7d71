-- title: a hundred thousand tables from every run
-- expect: any
-- fires: 20
local hoard = {}
on("pre_tool_call", function(ev)
  local t = {}
  for i = 1, 15000 do t[i] = { run = ev.metadata.fire } end
  hoard[#hoard + 1] = t
end)
