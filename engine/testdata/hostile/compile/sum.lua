-- title: a sum of tens of thousands
-- expect: load error
local a = 1
local x = a {{repeat 60000 "+a"}}
