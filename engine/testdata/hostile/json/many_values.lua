-- title: four million values in one text
-- expect: error or limit
on("pre_tool_call", function() return json.decode("[" .. ("0,"):rep(4e6) .. "0]") end)
