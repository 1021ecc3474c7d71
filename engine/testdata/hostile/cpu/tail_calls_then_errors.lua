-- title: errors whose traceback remembers a million tail calls
-- expect: limit
on("pre_tool_call", function()
  local function fail() error("deep in it") end
  local function down(n)
    if n == 0 then
      for _ = 1, 1e6 do pcall(fail) end
      return fail()
    end
    return down(n - 1)
  end
  return down(1e6)
end)
