-- title: half a million semicolons
-- expect: load error or ok
local a = 1 {{repeat 200000 ";local _ = a "}}
