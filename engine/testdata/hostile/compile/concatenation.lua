-- title: a text of a hundred thousand pieces
-- expect: load error
local a = "x"
local x = a {{repeat 80000 "..a"}}
