-- title: a megabyte of text in ninety thousand places
-- expect: error or limit
on("pre_tool_call", function()
  local t, s = {}, ("\0"):rep(2 ^ 20)
  for i = 1, 9e4 do t[i] = s end
  return json.encode(t)
end)
