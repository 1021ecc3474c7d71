-- title: tables filled from the back
-- expect: limit
on("pre_tool_call", function()
  local kept = {}
  for i = 1, 1e5 do
    local t = {}
    for k = 4000, 1, -500 do t[k] = k end
    kept[i] = t
  end
end)
