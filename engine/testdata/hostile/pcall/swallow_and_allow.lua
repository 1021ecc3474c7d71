-- title: catching the end of the instructions and allowing the call
-- expect: limit instructions
on("pre_tool_call", function()
  pcall(function() while true do end end)
  return allow("nothing happened")
end)
