-- title: the text that a pattern begins with has the hash of every place
-- expect: limit
local function colliding()
  local a, c = "a", "c"
  for i = 1, 8 do a, c = a .. c, c .. a end
  return a
end
on("pre_tool_call", function()
  local many = ("b"):rep(8 * 2^20)
  local p = re.compile(("b"):rep(9700) .. colliding() .. "x?")
  p:match(many) p:find(many) p:find_all(many) p:replace(many, "") p:split(many)
end)
