-- title: as many wide classes as a pattern has room for
-- expect: error
-- says: takes too long to read
on("pre_tool_call", function() re.compile("(?i)" .. ("[B-😀]"):rep(1200)) end)
