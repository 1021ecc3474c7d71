-- title: methods that are called on what they don't belong to
-- expect: ok
on("pre_tool_call", function(ev)
  local match, flag = re.compile("a").match, shell.parse("a").commands[1].flag
  for _, v in ipairs({ 1, "x", {}, json.null, ev, deny("x"), print, { words = {} }, { words = { 1 } }, { words = { {} } }, { words = { { text = "x" } }, name = {} }, { words = json.array(), name = true } }) do
    pcall(match, v, "a")
    pcall(flag, v, "-f")
  end
  assert(not pcall(match) and not pcall(flag) and not pcall(match, json.null, "a"))
  local endless = setmetatable({}, { __index = function(t) return t end })
  pcall(flag, endless, "-f")
  pcall(flag, { words = endless }, "-f")
  return context("held")
end)
