-- title: looking up a key of 100 KB that stands in the source
-- expect: limit or load error
local t = {}
on("pre_tool_call", function()
  for _ = 1, 1e7 do t["{{repeat 100000 "k"}}"] = 1 end
end)
