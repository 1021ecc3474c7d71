-- title: nil and NaN as keys, by every way to store
-- expect: ok
on("pre_tool_call", function()
  local nan = 0 / 0
  for _, key in ipairs({ "nil", "nan" }) do
    local k = key == "nan" and nan or nil
    local t = {}
    assert(not pcall(function() t[k] = 1 end), key)
    assert(not pcall(rawset, t, k, 1), key)
    assert(not pcall(function() return { [k] = 1 } end), key)
    assert(not pcall(function() t.a, t[k] = 1, 2 end), key)
    assert(t[k] == nil and rawget(t, "x") == nil)
  end
  return context("held")
end)
