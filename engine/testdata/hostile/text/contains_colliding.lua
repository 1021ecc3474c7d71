-- title: a text whose hash is that of every other place is looked for
-- expect: limit
local function colliding()
  local a, c = "a", "c"
  for i = 1, 8 do a, c = a .. c, c .. a end
  return a
end
on("pre_tool_call", function()
  local many, needle = ("b"):rep(8 * 2^20), ("b"):rep(3 * 2^20) .. colliding()
  return context(tostring(text.contains(many, needle)))
end)
