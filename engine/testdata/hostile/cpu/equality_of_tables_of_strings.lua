-- title: strings as keys that share all but their last byte
-- expect: limit
on("pre_tool_call", function()
  local common, t = ("p"):rep(1e5), {}
  for i = 1, 300 do t[common .. i] = i end
  while true do
    for k in pairs(t) do t[k] = t[k] + 1 end
  end
end)
