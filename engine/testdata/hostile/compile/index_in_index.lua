-- title: an index in an index
-- expect: load error
local x = {{repeat 60000 "a["}} 1 {{repeat 60000 "]"}}
