-- title: groups, loops, cases and functions within one another
-- expect: ok or limit or error
on("pre_tool_call", function()
  for _, s in ipairs({ "(", "{ ", "if ", "while ", "case x in x) ", "f() { ", "[[ ( ", "! ", "time ", "coproc ", "<<E", "<<<x ", "a=( ", "\"$(", "${x:-", "for ((;;)) do ", "select x in y; do " }) do
    pcall(shell.parse, s:rep(20000))
  end
  return context("held")
end)
