-- title: a substitution within the callback of a substitution
-- expect: limit stack
on("pre_tool_call", function()
  local function sub(s) return (s:gsub(".", sub)) end
  return sub("ab")
end)
