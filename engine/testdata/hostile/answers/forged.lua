-- title: things that look like answers
-- expect: error
on("pre_tool_call", function()
  return setmetatable({ kind = "allow", text = "" }, { __metatable = "answer" })
end)
