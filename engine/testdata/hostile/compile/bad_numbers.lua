-- title: numbers that are malformed
-- expect: load error
local x = 0x, 1e, 1..2, 0xg, 3.4.5
