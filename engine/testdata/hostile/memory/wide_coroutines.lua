-- title: waiting coroutines that hold seven thousand values each
-- expect: limit or error
on("pre_tool_call", function()
  local t, kept = {}, {}
  for i = 1, 7000 do t[i] = i end
  for i = 1, 1e5 do
    local co = coroutine.create(function(...)
      local function deeper(n, ...)
        if n == 0 then coroutine.yield(...) else return (deeper(n - 1, ...)) end
      end
      deeper(1, ...)
    end)
    assert(coroutine.resume(co, unpack(t)))
    kept[i] = co
  end
end)
