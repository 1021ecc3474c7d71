-- title: rewriting the call into something that is no call
-- expect: error or any
on("pre_tool_call", function() return replace({ command = { { { } } }, ["\0"] = json.null }) end)
