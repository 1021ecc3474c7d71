-- title: walking seven thousand arguments by select
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  for i = 1, 7000 do t[i] = i end
  local function walk(...)
    local n = 0
    while true do
      for i = 1, select("#", ...) do n = n + select(i, ...) end
    end
  end
  walk(unpack(t))
end)
