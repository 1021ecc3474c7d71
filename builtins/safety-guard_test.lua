-- The guard as hooks.yaml lists it; its rules have their own tables and Go tests.

test("what destroys is denied, with the rule's id", function()
  local hooks = start("pre_tool_call: [{builtin: safety-guard}]")
  local r = hooks:fire("pre_tool_call", { tool_call = { name = "bash", command = "rm -rf ~" } })
  expect(r.decision):is("deny")
  expect(r.reason):contains("safety-guard: deletion.")
end)

test("what only mentions it is left alone", function()
  local hooks = start("pre_tool_call: [{builtin: safety-guard}]")
  expect(hooks:fire("pre_tool_call", { tool_call = { name = "bash", command = "git commit -m 'rm -rf ~'" } }).decision):is("")
end)

test("an option with a typo is told at its place", function()
  local hooks = start("pre_tool_call: [{builtin: safety-guard, with: {levle: strict}}]")
  expect(hooks.problem()):contains('no option "levle", did you mean "level"?')
end)
