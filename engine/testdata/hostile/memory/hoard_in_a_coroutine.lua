-- title: a coroutine made by the chunk that keeps what each run gives it
-- expect: any
-- fires: 40
local keep = coroutine.wrap(function(s)
  local hoard = {}
  while true do
    hoard[#hoard + 1] = s
    s = coroutine.yield()
  end
end)
on("pre_tool_call", function() keep(("c"):rep(30 * 2 ^ 20)) end)
