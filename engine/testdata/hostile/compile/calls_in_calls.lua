-- title: calls in the arguments of calls
-- expect: load error
local x = {{repeat 40000 "type("}} 1 {{repeat 40000 ")"}}
