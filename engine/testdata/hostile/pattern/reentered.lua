-- title: a substitution whose callback uses the same pattern
-- expect: limit
on("pre_tool_call", function()
  local s = ("ab"):rep(100)
  local function again(c) return (s:gsub("(a)(b)", function(x, y) return y .. x .. #s:gsub("a", "") end)) end
  while true do s:gsub("(%a)", again) end
end)
