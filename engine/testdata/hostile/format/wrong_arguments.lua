-- title: arguments that don't fit their place, and none
-- expect: ok
on("pre_tool_call", function(ev)
  for _, verb in ipairs({ "%d", "%i", "%u", "%c", "%x", "%X", "%o", "%e", "%E", "%f", "%g", "%G", "%q", "%5.2f" }) do
    for _, value in ipairs({ {}, print, ev, true, json.null, "word" }) do
      local ok, out = pcall(string.format, verb, value)
      assert(not ok or not out:find("!", 1, true), verb .. " gives " .. tostring(out))
    end
    local ok = pcall(string.format, verb)
    assert(not ok, verb .. " without a value")
  end
  return context("held")
end)
