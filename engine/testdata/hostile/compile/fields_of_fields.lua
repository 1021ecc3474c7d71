-- title: a chain of fields
-- expect: load error
local x = string{{repeat 100000 ".a"}}
