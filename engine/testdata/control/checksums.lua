-- title: hashes and encodes a hundred kilobytes, and back
-- event: pre_tool_call
-- want: {"data": {"same": true, "crc": "cbf43926", "sizes": "133336 200000"}}
on("pre_tool_call", function()
  local data = ("0123456789"):rep(10000)
  local base64, hex = hash.base64_encode(data), hash.hex_encode(data)
  local same = hash.base64_decode(base64) == data and hash.hex_decode(hex) == data and #hash.sha256(data) == 64
  return { data = { same = same, crc = hash.crc32("123456789"), sizes = #base64 .. " " .. #hex } }
end)
