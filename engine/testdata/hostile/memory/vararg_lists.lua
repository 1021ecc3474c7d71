-- title: all arguments kept at every call
-- expect: limit
on("pre_tool_call", function()
  local t, kept = {}, {}
  for i = 1, 7000 do t[i] = i end
  local function keep(...)
    while true do kept[#kept + 1] = { ... } end
  end
  keep(unpack(t))
end)
