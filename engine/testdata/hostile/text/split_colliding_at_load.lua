-- title: a text is split at one whose hash is everywhere, while it loads
-- expect: load error or limit
-- says: instructions
local function colliding()
  local a, c = "a", "c"
  for i = 1, 8 do a, c = a .. c, c .. a end
  return a
end
local many, needle = ("b"):rep(8 * 2^20), ("b"):rep(3 * 2^20) .. colliding()
print(#text.split(many, needle))
on("pre_tool_call", function() return context("held") end)
