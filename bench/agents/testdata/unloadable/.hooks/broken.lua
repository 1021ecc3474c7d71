-- No Lua at all, in the second line.
on("pre_tool_call", function(
