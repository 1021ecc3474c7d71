-- title: the opposite of the opposite
-- expect: load error
local x = {{repeat 100000 "- "}} 1
