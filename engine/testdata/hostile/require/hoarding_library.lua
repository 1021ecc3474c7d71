-- title: a library that keeps thirty megabytes of every run
-- expect: any
-- fires: 40
local keep = require("hoard")
on("pre_tool_call", function() keep[#keep + 1] = ("k"):rep(30 * 2 ^ 20) end)
