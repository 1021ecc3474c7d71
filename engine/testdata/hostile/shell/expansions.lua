-- title: braces that stand for billions of words
-- expect: ok or limit or error
on("pre_tool_call", function()
  for _, s in ipairs({ "echo {1..1000000000}", "echo " .. ("{a,b}"):rep(40), "echo {a..z}{a..z}{a..z}{a..z}{a..z}{a..z}", "rm " .. ("{x,"):rep(5000), "a=" .. ("$a"):rep(1e5) .. " cmd" }) do
    local ok, line = pcall(shell.parse, s)
    assert(not ok or #line.commands < 1e5)
  end
  return context("held")
end)
