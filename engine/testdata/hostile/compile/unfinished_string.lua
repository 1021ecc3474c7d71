-- title: a long string that never ends
-- expect: load error
local x = [=========[ {{repeat 100000 "]]"}}
