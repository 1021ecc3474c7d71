-- title: JSON of one emptied list, a hundred thousand times
-- expect: limit or error
on("pre_tool_call", function()
  local gone, all = {}, {}
  for n = 4e5, 8e5, 4e5 do gone[n] = 1 gone[n] = nil end
  for i = 1, 90000 do all[i] = gone end
  json.encode(all) modify({ all = all }) redact.value(all)
end)
