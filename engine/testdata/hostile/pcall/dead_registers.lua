-- title: a closure that outlives its failed function reads nothing of what comes next
-- expect: ok
on("pre_tool_call", function()
  local peek
  local function victim(secret) local copy = secret; return #copy end
  for _, protect in ipairs({ pcall, function(f) return xpcall(f, function() end) end, function(f) return coroutine.resume(coroutine.create(f)) end }) do
    for _, fail in ipairs({ function() error("x") end, function() return nil + 1 end, function() ("x"):rep({}) end, function() ("abc"):find("b", 10, true); error("x") end }) do
      protect(function()
        local a, b, c, d = 1, 2, 3, 4
        peek = function() return a, b, c, d end
        fail()
      end)
      victim("SECRET")
      for i = 1, 4 do assert((select(i, peek())) == i) end
    end
  end
  return context("held")
end)
