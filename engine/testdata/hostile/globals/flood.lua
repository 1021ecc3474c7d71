-- title: a hundred thousand globals in every run
-- expect: any
-- fires: 12
on("pre_tool_call", function(ev)
  assert(rawget(_G, "g1") == nil)
  for i = 1, 40000 do _G["g" .. i + ev.metadata.fire * 1e6] = i end
  return context("held")
end)
