-- title: a condition of tens of thousands
-- expect: load error
local a = 1
local x = a {{repeat 30000 " and a or a"}}
