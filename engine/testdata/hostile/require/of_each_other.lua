-- title: two libraries that require each other
-- expect: error
-- says: require each other
on("pre_tool_call", function() return require("ping") end)
