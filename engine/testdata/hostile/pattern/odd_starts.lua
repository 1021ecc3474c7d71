-- title: searches that begin before, behind and nowhere
-- expect: ok
on("pre_tool_call", function()
  for _, start in ipairs({ 0, -1, -100, 4, 5, 10, 2 ^ 31, 2 ^ 53, 2 ^ 63, 1e308, -1e308, math.huge, -math.huge, 0 / 0, 1.5 }) do
    for _, plain in ipairs({ true, false }) do
      pcall(string.find, "abc", "b", start, plain)
      pcall(string.find, "abc", "", start, plain)
      pcall(string.match, "abc", "b", start)
      pcall(string.sub, "abc", start, start)
      pcall(string.byte, "abc", start, start)
      pcall(string.gsub, "abc", "b", "x", start)
      pcall(string.rep, "", start)
    end
  end
  assert(("abc"):find("b", 10, true) == nil)
  return context("held")
end)
