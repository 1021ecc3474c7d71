-- title: calling what a call returns
-- expect: load error
local x = type{{repeat 100000 "()"}}
