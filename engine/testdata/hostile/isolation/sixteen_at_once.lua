-- title: sixteen runs at once that each look for the traces of another
-- expect: ok
-- goroutines: 16
-- fires: 20
on("pre_tool_call", function(ev)
  assert(rawget(_G, "trace") == nil, "a trace")
  trace = ev.metadata.fire
  local t = {}
  for i = 1, 200 do t[i] = trace .. ":" .. i end
  assert(#table.concat(t, ",") > 0 and trace == ev.metadata.fire)
  for i = 1, 200 do assert(t[i] == ev.metadata.fire .. ":" .. i) end
  return context("held")
end)
