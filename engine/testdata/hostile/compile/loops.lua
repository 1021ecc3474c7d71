-- title: loops in loops
-- expect: load error
{{repeat 8000 "while a do for i = 1, 2 do repeat "}} {{repeat 8000 "until a end end "}}
