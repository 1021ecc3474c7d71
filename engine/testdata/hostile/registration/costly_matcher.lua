-- title: one matcher that is slow for a command of a megabyte
-- expect: any
-- command: 1000000
on("pre_tool_call", { match = { command = "/(x?a?){120}y$/" } }, function() end)
