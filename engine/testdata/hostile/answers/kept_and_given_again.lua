-- title: the same answer in every run
-- expect: ok
-- fires: 30
local answer
on("pre_tool_call", function()
  answer = answer or context("held")
  local data = { n = 1 }
  return answer, { data = data }
end)
