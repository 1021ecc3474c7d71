-- title: operands that change each other are evaluated once, from left to right
-- expect: ok
on("pre_tool_call", function()
  local log = ""
  local function say(x) log = log .. x; return x end
  assert(say("a") .. say("b") .. say("c") .. say("d") == "abcd" and log == "abcd")
  local function many() return "1", "2", "3" end
  assert("x" .. many() .. "y" .. many() == "x1y1")
  local n = 0
  local t = setmetatable({}, { __index = function(_, k) n = n + 1; return k .. n end })
  assert(t.a .. t.b .. t.c == "a1b2c3")
  return context("held")
end)
