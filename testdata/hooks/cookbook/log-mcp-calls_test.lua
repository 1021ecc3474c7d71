only("log-mcp-calls.lua")

local function call(tool, input, more)
  local tool_call = { name = tool, input = input, outcome = "ok", output = "a secret plan", duration_ms = 12 }
  local c = { session_id = "s-1", tool_call = tool_call }
  for key, value in pairs(more or {}) do
    c[key] = value
  end
  return fire("post_tool_call", c)
end

local function logged()
  local list = {}
  for i, line in ipairs(text.lines(project.read("mcp-calls.jsonl") or "")) do
    list[i] = json.decode(line)
  end
  return list
end

test("a line for each call", function()
  fake.time("2026-03-04T05:06:07Z")
  call("mcp__github__create_issue", { title = "Round the totals" })
  call("mcp__jira__get", { key = "SHOP-1" })
  expect(#logged()):is(2)
  expect(logged()[1]):equals({
    time = "2026-03-04T05:06:07Z", session = "s-1", server = "github", tool = "create_issue",
    input = { title = "Round the totals" }, outcome = "ok", duration_ms = 12,
  })
end)

test("what went wrong", function()
  local failed = { name = "mcp__github__create_issue", input = {}, outcome = "error" }
  call(failed.name, {}, { tool_call = failed, error = { message = "403 Forbidden", kind = "tool" } })
  expect(logged()[1].outcome):is("error")
  expect(logged()[1].error):is("403 Forbidden")
end)

test("no secrets, and no outputs", function()
  call("mcp__vault__login", { user = "kim", password = "correct horse" })
  local line = project.read("mcp-calls.jsonl")
  expect(line):contains("kim")
  expect(line):never():contains("correct horse")
  expect(line):never():contains("secret plan")
end)

test("line ends in an argument make no lines", function()
  call("mcp__notes__add", { text = "one\ntwo\n{}" })
  expect(#logged()):is(1)
end)

test("a server with an underscore in its name", function()
  call("mcp__my_server__do_it", {})
  expect(logged()[1].server):is("my_server")
  expect(logged()[1].tool):is("do_it")
end)

test("other tools aren't logged", function()
  fire("post_tool_call", { tool_call = { name = "bash", input = { command = "ls" }, outcome = "ok" } })
  expect(project.read("mcp-calls.jsonl")):is(nil)
end)

test("a file that can't be written", function()
  project.write("mcp-calls.jsonl/x", "")
  expect(call("mcp__notes__add", {}).system_message):contains("couldn't be written")
end)
