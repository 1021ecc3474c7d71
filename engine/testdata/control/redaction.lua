-- title: hides secrets in a long output
-- event: post_tool_call
-- output: 100000
-- want: {"data": {"hidden": 800, "left": false}}
on("post_tool_call", function(ev)
  local out = ev.tool_call.output .. ("AWS_SECRET=AKIA0123456789 token: ghp_abcdefghijklmnop user=ann\n"):rep(400)
  local keys, tokens
  out, keys = out:gsub("(AWS_SECRET=)%S+", "%1***")
  out, tokens = out:gsub("ghp_%w+", function(token) return token:sub(1, 4) .. ("*"):rep(#token - 4) end)
  out = re.replace(out, [[user=(\w)\w+]], "user=$1...")
  return { data = { hidden = keys + tokens, left = out:find("AKIA", 1, true) ~= nil or out:find("user=ann", 1, true) ~= nil } }
end)
