-- Stands beside the built-in guard in the sessions.

on("session_start", function(ev) return context("the branch is main") end)
on("pre_prompt", function(ev)
  if ev.prompt:find("hunter2", 1, true) then return deny("no passwords in prompts") end
end)
on("pre_tool_call", { match = "bash" }, function(ev)
  local command = ev.tool_call.command
  if command:find("git push", 1, true) then return ask("this publishes your work") end
  if command == "npm test" then return modify{ command = "npm test -- --silent" } end
end)
on("post_tool_call", function(ev)
  local call = ev.tool_call
  if call.outcome ~= "ok" then return context("start redis first") end
  if call.kind == "mcp" then return output("token=***") end
  if call.kind == "edit" or call.kind == "write" then return deny("run the formatter") end
end)
on("stop", function(ev)
  if ev.loop_count == 0 then return deny("run the tests") end
end)
on("pre_compact", function(ev) return message("the notes are in NOTES.md") end)
