-- title: what Go's formatting knows and Lua's does not
-- expect: ok
on("pre_tool_call", function(ev)
  for _, verb in ipairs({ "%v", "%+v", "%#v", "%T", "%p", "%t", "%U", "%b", "%O", "%[1]d", "%[2]*[1]d", "%!", "%w", "%z", "%F", "% ", "%-", "%", "%5", "%.", "%l", "%ld", "%n" }) do
    for _, value in ipairs({ 1, "x", {}, print, ev, true }) do
      local ok, out = pcall(string.format, verb, value)
      assert(not ok, verb .. " gives " .. tostring(out))
    end
  end
  return context("held")
end)
