-- title: parentheses that are never closed
-- expect: load error
local x = {{repeat 250000 "("}}
