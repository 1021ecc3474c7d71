-- title: error messages that quote what was wrong with a call
-- expect: limit
on("pre_tool_call", function()
  local long, kept = ("e"):rep(2 ^ 20), {}
  while true do
    for _, f in ipairs({ require, re.compile, time.parse, shell.split, path.match, on, hash.hex_decode, json.decode }) do
      local _, message = pcall(f, "'" .. long, long)
      kept[#kept + 1] = message
    end
  end
end)
