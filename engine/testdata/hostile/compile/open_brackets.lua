-- title: parentheses within parentheses
-- expect: load error
local x = {{repeat 50000 "("}} 1 {{repeat 50000 ")"}}
