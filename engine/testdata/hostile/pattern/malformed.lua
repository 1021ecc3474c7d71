-- title: every malformed pattern is an error of Lua
-- expect: ok
on("pre_tool_call", function()
  for _, pattern in ipairs({ "%", "[", "[%", "[]", "[^]", "(", ")", "(()", "%1", "(%1)", "%b", "%bx", "%f", "%fx", "[a-", "[a-%", "(a", "a)", "%9", "%0", "%f[", "[[", "()%2" }) do
    for _, f in ipairs({ string.find, string.match, string.gmatch, string.gsub }) do
      local ok, why = pcall(function()
        local found = f("abc a", pattern, "x")
        if type(found) == "function" then found() end
      end)
      assert(ok or (type(why) == "string" and not why:find("panic") and not why:find("runtime error") and not why:find("index out")), pattern .. ": " .. tostring(why))
    end
  end
  return context("held")
end)
