-- title: every byte becomes a megabyte
-- expect: limit memory
on("pre_tool_call", function()
  return (("a"):rep(1e6):gsub("a", ("b"):rep(2 ^ 20)))
end)
