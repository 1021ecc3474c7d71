-- title: snippets with wide classes, in which case is ignored
-- expect: limit
on("pre_tool_call", function()
  for i = 1, 1e4 do text.snippets{ { patterns = { "(?i)error[B-😀]" .. i }, except = { "(?i)[B-😀]" .. i } } } end
end)
