-- title: an error object with a message of thirty megabytes
-- expect: error or limit
on("pre_tool_call", function() error({ message = ("no "):rep(1e7) }) end)
