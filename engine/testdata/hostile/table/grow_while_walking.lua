-- title: adding while it is walked
-- expect: limit or ok or error
on("pre_tool_call", function()
  local t = { first = 1 }
  for k in pairs(t) do
    for i = 1, 3 do t[k .. i] = i end
  end
  return context("held")
end)
