-- title: a set of a million ranges, for every byte
-- expect: limit or ok
on("pre_tool_call", function()
  assert(not ("x"):rep(1e6):find("[" .. ("a-b"):rep(1e6) .. "]"))
  return context("held")
end)
