-- title: the length, the end and the first of a list that lost a million
-- expect: limit
on("pre_tool_call", function()
  local t = {}
  for n = 4e5, 12e5, 4e5 do t[n] = 1 t[n] = nil end
  while true do
    table.insert(t, 1) table.remove(t) table.concat(t) unpack(t) next(t) table.maxn(t) json.array(t) pcall(sql.find, t)
  end
end)
