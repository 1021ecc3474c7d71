-- title: very many nots
-- expect: load error
on("pre_tool_call", function() return {{repeat 120000 "not "}} true end)
