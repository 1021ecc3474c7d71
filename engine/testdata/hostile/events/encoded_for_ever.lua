-- title: the event as JSON, again and again
-- expect: limit
-- data: 1000000
on("pre_tool_call", function(ev)
  local kept = {}
  while true do kept[#kept + 1] = json.encode(ev) end
end)
