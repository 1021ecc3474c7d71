-- title: a local and the closures over it stay one after an error was caught
-- expect: ok
on("pre_tool_call", function()
  local count = 0
  local function add() count = count + 1 end
  local function get() return count end
  add()
  pcall(error, "x"); add()
  xpcall(error, function() add() end); add()
  pcall(coroutine.wrap(function() add(); error("x") end)); add()
  pcall(string.rep); add()
  pcall(function() local _ = nil .. "x" end); add()
  assert(count == 8 and get() == 8, count .. " " .. get())
  return context("held")
end)
