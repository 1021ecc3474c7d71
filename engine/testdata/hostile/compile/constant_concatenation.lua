-- title: constants that are folded, each with all before it
-- expect: load error
local x = "" {{repeat 30000 "..'abcdef'"}}
