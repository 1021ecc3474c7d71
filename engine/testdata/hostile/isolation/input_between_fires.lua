-- title: what one run writes into open data, the next doesn't see
-- expect: ok
-- fires: 4
on("pre_tool_call", function(ev)
  local input, metadata = ev.tool_call.input, ev.metadata
  assert(input.command == "go test ./..." and input.extra == nil and metadata.mark == nil)
  input.command, input.extra, metadata.mark = nil, { 1 }, "x"
  setmetatable(input, { __index = function() return "evil" end, __metatable = "mine" })
  return context("held")
end)
