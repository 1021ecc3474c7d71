-- title: a wrapped coroutine that walks itself made anew
-- expect: limit or error
on("pre_tool_call", function()
  local function walk() for v in coroutine.wrap(walk) do coroutine.yield(v) end end
  walk()
end)
