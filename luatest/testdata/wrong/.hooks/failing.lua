on("pre_tool_call", { match = "bash" }, function(ev)
  local c = ev.tool_call.command
  if c == "fail" then
    error("no luck")
  elseif c == "npm" then
    exec.run("npm", { "test" })
  elseif c == "http" then
    http.get("https://example.com/x")
  elseif c == "git" then
    git.branch()
  elseif c == "caught" then
    pcall(exec.run, "npm")
  elseif c == "cargo" then
    exec.run("cargo")
  end
end)
