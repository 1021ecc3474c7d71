-- title: a far slot of what a method call returns
-- expect: limit memory or ok
on("pre_tool_call", function()
  local o = { inner = {} }
  function o:get() return self.inner end
  o:get()[6.6e7] = true
  return context("held")
end)
