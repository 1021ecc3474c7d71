-- title: assigning to thousands of places at once
-- expect: load error
local t = {}
{{repeat 3000 "t.a, "}} t.b = 1
