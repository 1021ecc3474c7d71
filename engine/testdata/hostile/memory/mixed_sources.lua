-- title: a little from everywhere until it is too much
-- expect: limit
on("pre_tool_call", function()
  local kept, n = {}, 0
  local function keep(v) n = n + 1; kept[n] = v end
  local s = ("a,"):rep(1e5)
  while true do
    keep(s:upper()); keep(s:gsub("a", "b")); keep(text.split(s, ",")); keep(s .. n)
    keep(json.encode({ s })); keep(re.replace(s, "a", "c")); keep(string.format("%s%d", s, n)); keep(table.concat({ s, s }))
  end
end)
