-- title: powers of powers, which bind to the right
-- expect: load error
local x = 2 {{repeat 60000 "^2"}}
