test("one", function()
  expect(fire("pre_tool_call", "one").decision):is("deny")
end)

test("others", function()
  expect(fire("pre_tool_call", "other").decision):is("ask")
end)
