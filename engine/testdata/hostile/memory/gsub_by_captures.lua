-- title: a match that is repeated ten thousand times in its replacement
-- expect: limit memory
on("pre_tool_call", function()
  return (("a"):rep(1e5):gsub(".+", ("%0"):rep(1e4)))
end)
