-- title: protected calls with a stack that is almost full
-- expect: limit or ok
on("pre_tool_call", function()
  local t = {}
  for i = 1, 7900 do t[i] = i end
  local function down(n, ...)
    if n == 0 then return select("#", ...) end
    local ok, v = pcall(down, n - 1, ...)
    return v, ...
  end
  for n = 1, 40 do pcall(down, n, unpack(t)) end
  return context("held")
end)
