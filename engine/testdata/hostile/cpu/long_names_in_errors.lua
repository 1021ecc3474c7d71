-- title: errors about values with names of a hundred kilobytes
-- expect: limit or load error
on("pre_tool_call", function(ev)
  while true do
    pcall(function() return ev.{{repeat 100000 "n"}} end)
    pcall(function() local x = nil; return x.{{repeat 100000 "m"}}.y end)
    pcall(function() {{repeat 100000 "f"}}() end)
  end
end)
