-- title: everything nested as deep as it may be, many times
-- expect: any
on("pre_tool_call", function()
  local a = 1
  {{repeat 60 "a = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a+(a))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))) a = 1\n"}}
  return context("held")
end)
