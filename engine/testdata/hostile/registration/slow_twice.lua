-- title: a chunk that takes most of its time, and a hook that takes all of its own
-- expect: limit
local function wait(seconds)
  local start = time.clock()
  local a, b = ("w"):rep(3e6), ("w"):rep(3e6)
  while time.clock() - start < seconds do
    for _ = 1, 20 do local _ = a == b end
  end
end
pcall(wait, 0.5)
on("pre_tool_call", function() wait(60) end)
