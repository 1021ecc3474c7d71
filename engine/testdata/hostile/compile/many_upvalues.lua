-- title: more upvalues than a byte counts
-- expect: load error
{{repeat 150 "local a%d = 1 "}}
local function outer()
  {{repeat 150 "local b%d = 1 "}}
  return function() return 0 {{repeat 150 "+ a%d + b%d"}} end
end
on("pre_tool_call", function() return context("held") end)
