-- title: walking the globals while they change
-- expect: ok
on("pre_tool_call", function()
  local n = 0
  for k in pairs(_G) do
    _G[k] = nil
    n = n + 1
    assert(n < 1000)
  end
  return context("held")
end)
