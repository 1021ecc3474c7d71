-- title: options of megabytes while loading
-- expect: any
local long = ("n"):rep(2 ^ 20)
for i = 1, 40 do
  on("pre_tool_call", { name = long .. i, match = { command = long } }, function() end)
end
