-- title: functions in functions
-- expect: load error
local x = {{repeat 20000 "function() return "}} 1 {{repeat 20000 " end"}}
