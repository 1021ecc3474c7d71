-- title: fifteen thousand cases
-- expect: load error
local a = 1
if a == 0 then {{repeat 15000 "elseif a == %d then "}} end
