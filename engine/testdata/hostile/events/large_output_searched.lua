-- title: four megabytes of output, searched by what doesn't match
-- expect: limit
-- event: post_tool_call
-- output: 4000000
on("post_tool_call", function(ev) return ev.tool_call.output:find(".-.-FAIL") end)
