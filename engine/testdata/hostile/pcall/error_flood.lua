-- title: errors raised and caught as fast as it goes
-- expect: limit
on("pre_tool_call", function()
  local function fail() error({}) end
  while true do pcall(fail) end
end)
