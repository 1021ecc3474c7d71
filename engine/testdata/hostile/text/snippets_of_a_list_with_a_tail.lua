-- title: a list of groups that was a million long, and has as many groups as it may
-- expect: error or limit
on("pre_tool_call", function()
  local groups, group = {}, { patterns = { "error" } }
  for i = 1, 20000 do groups[i] = group end
  for n = 4e5, 12e5, 4e5 do groups[n] = 1 groups[n] = nil end
  return text.excerpt("x", { bytes = 1, snippets = text.snippets(groups) })
end)
