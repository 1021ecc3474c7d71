-- title: table constructors within one another
-- expect: load error
local x = {{repeat 40000 "{"}} {{repeat 40000 "}"}}
