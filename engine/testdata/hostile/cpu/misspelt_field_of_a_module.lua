-- title: a name of megabytes that a module doesn't have, compared with those it has
-- expect: limit or error
on("pre_tool_call", function()
  local name = ("encod"):rep(1e6)
  while true do pcall(function() return json[name] end) end
end)
