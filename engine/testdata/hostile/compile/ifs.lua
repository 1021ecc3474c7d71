-- title: conditions in conditions
-- expect: load error
local a
{{repeat 20000 "if a then "}} {{repeat 20000 "end "}}
