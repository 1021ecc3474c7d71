-- title: libraries that lie outside of the folder
-- expect: ok
on("pre_tool_call", function()
  for _, name in ipairs({ "../hostile", "..", "/etc/passwd", "lib/counter", "counter.lua", "./counter", "..\\hostile", "counter\0x", "", ".", "_G", "deny", "hostile" }) do
    assert(not pcall(require, name), name)
  end
  assert(not pcall(require) and not pcall(require, {}))
  return context("held")
end)
