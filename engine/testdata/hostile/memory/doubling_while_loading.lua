-- title: a string that doubles while the script loads
-- expect: limit memory
-- says: loading
local s = "x"
for _ = 1, 40 do s = s .. s .. s end
