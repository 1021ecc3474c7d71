-- title: patterns of megabytes, five hundred times
-- expect: error
-- says: longer than 1000 bytes
on("pre_tool_call", function()
  local long, patterns = ("x"):rep(8 * 2^20), {}
  for i = 1, 500 do patterns[i] = long end
  text.snippets{ { patterns = patterns, except = patterns } }
end)
