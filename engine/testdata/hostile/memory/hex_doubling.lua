-- title: encoding the encoded
-- expect: limit memory
on("pre_tool_call", function()
  local s = "x"
  while true do s = hash.hex_encode(hash.base64_encode(s)) end
end)
