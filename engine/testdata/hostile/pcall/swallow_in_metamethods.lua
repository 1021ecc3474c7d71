-- title: catching it in metamethods, comparisons and callbacks
-- expect: limit instructions
on("pre_tool_call", function()
  local function spin() while true do end end
  local function caught() pcall(spin); return "" end
  local t = setmetatable({}, { __index = caught, __tostring = caught, __concat = caught, __lt = caught })
  while true do
    local _ = t.x
    tostring(t); _ = t .. t; _ = t < t
    ("x"):gsub("x", caught)
    table.sort({ 1, 2 }, caught)
  end
end)
