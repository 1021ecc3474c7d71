-- title: checksums of sixteen megabytes for ever
-- expect: limit
on("pre_tool_call", function()
  local s = ("x"):rep(2 ^ 24)
  while true do
    hash.md5(s); hash.sha1(s); hash.sha256(s); hash.crc32(s); hash.hmac_sha256(s, s)
  end
end)
