-- title: cutting at lengths that there are not
-- expect: ok
on("pre_tool_call", function()
  for _, n in ipairs({ 0, -1, 0.5, 1e308, -1e308, math.huge, -math.huge, 0 / 0, 2 ^ 53, 2 ^ 63 }) do
    pcall(text.truncate, "hello", n)
    pcall(text.truncate, "hello", n, ("m"):rep(1e5))
    pcall(text.truncate, ("\128"):rep(100), n)
  end
  return context("held")
end)
