-- title: the longest common part of two files of three hundred lines
-- event: pre_tool_call
-- want: {"data": {"common": 270, "changed": 30}}
on("pre_tool_call", function()
  local a, b = {}, {}
  for i = 1, 300 do
    a[i] = "line " .. i
    b[i] = i % 10 == 0 and "changed " .. i or a[i]
  end
  local before = {}
  for j = 0, #b do before[j] = 0 end
  for i = 1, #a do
    local row = { [0] = 0 }
    for j = 1, #b do
      row[j] = a[i] == b[j] and before[j - 1] + 1 or math.max(before[j], row[j - 1])
    end
    before = row
  end
  return { data = { common = before[#b], changed = #a - before[#b] } }
end)
