-- title: brackets that never close, tried from every one
-- expect: limit
on("pre_tool_call", function()
  return (("("):rep(1e6):gsub("%b()", ""))
end)
