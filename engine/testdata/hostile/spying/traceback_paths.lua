-- title: what errors say of the host's files
-- expect: ok
on("pre_tool_call", function()
  for _, f in ipairs({
    function() ("x"):rep(nil) end, function() return nil .. "x" end, function() error("x", 9) end, function() require("none") end,
    function() re.compile("(") end, function() json.decode("{") end, function() on("stop", print) end, function() deny({}) end,
  }) do
    local ok, why = pcall(f)
    why = tostring(why)
    assert(not ok and not why:find("/root") and not why:find("%.go:") and not why:find("goroutine") and not why:find("gopher"), why)
  end
  return context("held")
end)
