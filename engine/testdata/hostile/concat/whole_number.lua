-- title: whole numbers joined to long texts, and kept
-- expect: limit memory
on("pre_tool_call", function()
  local n, s, kept = json.decode("9007199254740993"), ("x"):rep(15 * 2^20), {}
  for i = 1, 90 do kept[i] = n .. s end
end)
