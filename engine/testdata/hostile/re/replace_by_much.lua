-- title: every byte becomes a megabyte
-- expect: limit memory or error
on("pre_tool_call", function() return re.replace(("a"):rep(1e6), "a", ("b"):rep(2 ^ 20)) end)
