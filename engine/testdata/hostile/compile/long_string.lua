-- title: a string literal of megabytes
-- expect: load error
local x = [==[{{repeat 3000000 "y"}}]==]
