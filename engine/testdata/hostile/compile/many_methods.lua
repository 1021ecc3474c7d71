-- title: a large but honest file: a thousand rules
-- expect: ok
local rules = {
{{repeat 1000 "  { name = 'rule %d', pattern = '^cmd%d%s', reason = 'no cmd%d, use tool%d' },\n"}}
}
on("pre_tool_call", function(ev)
  for _, rule in ipairs(rules) do
    if ev.tool_call.command:find(rule.pattern) then return deny(rule.reason) end
  end
  return context("held")
end)
