-- title: numbers that are none, and too large ones
-- expect: ok
on("pre_tool_call", function()
  for _, verb in ipairs({ "%d", "%i", "%u", "%c", "%x", "%o", "%e", "%f", "%g", "%s", "%99.99f", "%-99d", "%+099.99e" }) do
    for _, n in ipairs({ 0 / 0, math.huge, -math.huge, 1e308, -1e308, 5e-324, 2 ^ 63, -2 ^ 63, 2 ^ 64, -0 }) do
      local ok, out = pcall(string.format, verb, n)
      assert(not ok or #out < 600, verb)
    end
  end
  return context("held")
end)
