-- title: comparing the outcome of a comparison
-- expect: load error
local a = 1
local x = a {{repeat 60000 "==a"}}
