-- title: passing seven thousand values on, an instruction each time
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  for i = 1, 7000 do t[i] = i end
  local function pass(...) return ... end
  local function last(...)
    while true do pass(...) end
  end
  last(unpack(t))
end)
