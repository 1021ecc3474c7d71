-- title: times before and after all time
-- expect: ok
on("pre_tool_call", function()
  for _, t in ipairs({ 0, -1, 1e308, -1e308, math.huge, -math.huge, 0 / 0, 2 ^ 53, 2 ^ 63, -62167219200, 253402300799.999 }) do
    pcall(time.date, "%F", t)
    pcall(time.iso, t)
  end
  for _, s in ipairs({ "", "x", ("9"):rep(1e6), "9999-99-99T99:99:99Z", "0000-01-01T00:00:00Z", "2006-01-02T15:04:05." .. ("9"):rep(1e5) .. "Z" }) do
    local ok, why = pcall(time.parse, s)
    assert(ok or #why < 10000)
  end
  for _, f in ipairs({ "%", "%%%", "%é", "%\0", "!", "!%" }) do pcall(time.date, f, 0) end
  return context("held")
end)
