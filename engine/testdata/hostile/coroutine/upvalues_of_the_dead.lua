-- title: closures over the locals of coroutines that have failed
-- expect: ok
on("pre_tool_call", function()
  local get, set
  local co = coroutine.create(function()
    local a, b = "a", "b"
    get, set = function() return a, b end, function(x) a, b = x, x end
    coroutine.yield()
    error("dead")
  end)
  coroutine.resume(co)
  set("c")
  coroutine.resume(co)
  local function other(...) local t = { ... }; return #t end
  other(1, 2, 3, 4, 5)
  local a, b = get()
  assert(a == "c" and b == "c", tostring(a))
  return context("held")
end)
