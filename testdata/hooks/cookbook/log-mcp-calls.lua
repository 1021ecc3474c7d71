-- Keeps a file of all calls of MCP servers: when, what, with which arguments, and what came of it.
--
-- It is mcp-calls.jsonl in the project, one JSON object a line, without secrets. Put it into .gitignore.
local FILE = "mcp-calls.jsonl"

on("post_tool_call", { match = { kind = "mcp" } }, function(ev)
  local call = ev.tool_call
  local server, tool = call.name:match("^mcp__(.-)__(.+)$")
  local ok, problem = fs.append(FILE, json.encode({
    time = time.iso(),
    session = ev.session_id,
    server = server,
    tool = tool or call.name,
    input = redact.value(call.input),
    outcome = call.outcome,
    error = ev.error and redact.text(ev.error.message),
    duration_ms = call.duration_ms,
  }) .. "\n")
  if not ok then
    return message(FILE .. " couldn't be written: " .. problem)
  end
end)
