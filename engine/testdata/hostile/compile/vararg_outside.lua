-- title: varargs in a function that has none
-- expect: load error
local function f() return ... end
