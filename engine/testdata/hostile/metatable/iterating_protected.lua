-- title: walking and reading what is behind protected metatables
-- expect: ok
on("pre_tool_call", function(ev)
  for _, v in ipairs({ string, math, json, shell, _G }) do
    for k, f in pairs(v) do
      assert(type(k) == "string")
      if type(f) == "table" and v ~= _G then assert(not pcall(rawset, f, 1, 1)) end
    end
    local k = next(v)
    assert(k == nil or rawget(v, k) ~= nil or v[k] ~= nil)
    assert(select("#", pcall(unpack, v)) >= 1 and #v == 0)
    pcall(table.concat, v)
    pcall(table.maxn, v)
    pcall(ipairs, v)
  end
  for k in pairs(ev.tool_call) do assert(not k:find("meta")) end
  return context("held")
end)
