-- title: errors that are no texts come back as they are
-- expect: ok
on("pre_tool_call", function(ev)
  for _, object in ipairs({ {}, print, 5, true, false, json.null, ev, coroutine.create(function() end), deny("x") }) do
    local ok, why = pcall(error, object)
    assert(not ok and why == object)
    ok, why = pcall(coroutine.wrap(function() error(object) end))
    assert(not ok and why == object)
  end
  local ok, why = pcall(error, nil)
  assert(not ok and why == nil)
  return context("held")
end)
