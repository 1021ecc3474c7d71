-- title: a chain of method calls
-- expect: load error
local x = type{{repeat 60000 ":a()"}}
