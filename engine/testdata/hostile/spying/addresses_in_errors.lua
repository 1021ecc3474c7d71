-- title: an error that shows a table
-- expect: error
on("pre_tool_call", function() error(tostring({}) .. tostring(print) .. string.format("%s", coroutine.create(function() end))) end)
