-- title: walking the event's fields without end
-- expect: limit
on("pre_tool_call", function(ev)
  while true do
    for _, v in pairs(ev) do
      if type(v) == "userdata" then for _ in pairs(v) do end end
    end
  end
end)
