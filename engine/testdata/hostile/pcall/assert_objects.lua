-- title: assertions with anything as their message
-- expect: ok
on("pre_tool_call", function(ev)
  for _, object in ipairs({ {}, 5, ev, true, ("m"):rep(1e5) }) do assert(not pcall(assert, false, object)) end
  assert(not pcall(assert))
  assert(not pcall(assert, nil))
  assert(not pcall(select, 0))
  assert(not pcall(select, -1))
  assert(not pcall(select, 0 / 0, 1) or true)
  assert(not pcall(select, "x", 1))
  pcall(select, 1e308, 1)
  pcall(select, -1e308, 1)
  return context("held")
end)
