-- title: asks before files outside of the project are written
-- event: pre_tool_call
-- given: {"cwd": "/work/shop", "tool_call": {"name": "write", "input": {"file_path": "/work/shop/../secrets/key.pem", "content": "x"}}}
-- want: {"decision": "ask", "reason": "/work/secrets/key.pem is outside of /work/shop"}
on("pre_tool_call", { match = { kind = "write" } }, function(ev)
  for _, p in ipairs(ev.tool_call.paths) do
    if not path.inside(ev.cwd, p) then return ask(path.clean(p) .. " is outside of " .. ev.cwd) end
    if path.match("**/*.pem", p) then return deny("no keys") end
  end
end)
