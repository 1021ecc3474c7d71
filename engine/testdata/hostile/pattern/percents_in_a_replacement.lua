-- title: a replacement of twelve million percent signs
-- expect: limit or any
on("pre_tool_call", function() return (("x"):gsub("x", ("%%"):rep(6e6))) end)
