-- title: numbers that no computer holds
-- expect: ok
on("pre_tool_call", function()
  for _, s in ipairs({ "1e999", "-1e999", "1e-999", ("9"):rep(1e5), "0." .. ("1"):rep(1e5), "1e" .. ("9"):rep(1000), "-", "--1", "01", "1.", ".5", "+1", "NaN", "Infinity", "0x10" }) do
    local ok, v = pcall(json.decode, s)
    if ok then pcall(json.encode, v); tostring(v); pcall(function() return v == v, v .. "", v + 1 end) end
  end
  return context("held")
end)
