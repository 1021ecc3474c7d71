-- title: a million patterns that are gone, in each group
-- expect: error or limit
on("pre_tool_call", function()
  local patterns = {}
  for i = 1, 400 do patterns[i] = "error" end
  for n = 4e5, 12e5, 4e5 do patterns[n] = 1 patterns[n] = nil end
  local groups = {}
  for i = 1, 16 do groups[i] = { patterns = patterns, except = patterns } end
  for i = 1, 1000 do pcall(text.snippets, groups) end
  error("held")
end)
