-- title: a hook that never lets the agent stop
-- expect: limit
-- event: stop
on("stop", function()
  while true do pcall(deny, "go on") end
end)
