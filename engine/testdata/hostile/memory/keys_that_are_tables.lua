-- title: tables whose keys are tables whose keys are tables
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  while true do
    for _ = 1, 100 do t[{}] = { [{}] = t } end
  end
end)
