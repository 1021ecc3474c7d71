-- title: deleting every global there is
-- expect: ok
-- fires: 2
mine = { kept = true }
on("pre_tool_call", function()
  assert(mine and mine.kept and next and rawset)
  local rawset, names, answer = rawset, {}, context("held")
  for k in pairs(_G) do names[#names + 1] = k end
  for _, k in ipairs(names) do rawset(_G, k, nil) end
  return answer
end)
