-- title: an error at the end of a line of a megabyte
-- expect: load error
local t = { {{repeat 100000 "1, "}} } }
