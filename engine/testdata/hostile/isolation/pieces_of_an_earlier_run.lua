-- title: iterators, answers, commands and patterns that are kept until the next run
-- expect: ok
-- fires: 5
local kept = {}
on("pre_tool_call", function(ev)
  for _, use in ipairs(kept) do local _, answer = pcall(use) tostring(answer) end
  local words, line, pattern, answer, iterate, t, k = ("a b c"):gmatch("%a"), shell.parse("git push -f"), re.compile("a(b)"), deny("old"), pairs(ev)
  kept[#kept + 1] = function()
    words(); line.commands[1]:flag("-f"); pattern:find("ab"); tostring(answer); iterate(t, k)
    return answer
  end
  assert(ev.metadata.fire == #kept)
  return context("held")
end)
