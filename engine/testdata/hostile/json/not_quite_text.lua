-- title: halves of characters, in and out
-- expect: ok
on("pre_tool_call", function()
  for _, s in ipairs({ [["\ud800"]], [["\udfff\ud800"]], "\"\255\254\"", "\"\0\"", "\239\187\191{}", "{} {}", "{}x", "", " ", "nul", [["\u00"]], [["\x"]], '{"a":1,"a":2}', '{"":{"":{"":1}}}' }) do
    local ok, v = pcall(json.decode, s)
    if ok then assert(type(json.encode(v)) == "string") end
  end
  return context("held")
end)
