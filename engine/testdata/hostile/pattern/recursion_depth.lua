-- title: three hundred optional items in a row
-- expect: error or limit or ok
on("pre_tool_call", function()
  local ok, why = pcall(string.match, ("x"):rep(50), ("x?y?"):rep(2000) .. "$")
  assert(ok or why:find("complex"), why)
  return context("held")
end)
