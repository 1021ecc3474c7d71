-- title: decoding what is nothing of the kind
-- expect: limit
on("pre_tool_call", function()
  local kept = {}
  for _, s in ipairs({ "", "=", "====", "a", ("\n"):rep(1e6), ("A"):rep(2 ^ 20 + 1), ("zz"):rep(1e6) }) do
    pcall(hash.base64_decode, s)
    pcall(hash.hex_decode, s)
  end
  while true do kept[#kept + 1] = hash.base64_decode(("A"):rep(2 ^ 22)) end
end)
