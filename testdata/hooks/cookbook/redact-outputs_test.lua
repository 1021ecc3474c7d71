only("redact-outputs.lua")

local function after(value, tool)
  local call = { name = tool or "bash", input = { command = "env" }, output = value, outcome = "ok" }
  return fire("post_tool_call", { tool_call = call })
end

local TOKEN = "ghp_" .. ("a1B2"):rep(9)

test("a token in a text", function()
  local r = after("token: " .. TOKEN .. "\nok\n")
  expect(r.output):contains("[redacted: github token]")
  expect(r.output):contains("\nok\n")
  expect(json.encode(r)):never():contains(TOKEN)
  expect(r.system_message):is("secrets taken out of the output of bash: 1")
end)

test("secrets in an object stay in their place", function()
  local secrets = { user = "kim", password = "correct horse", notes = { "https://kim:hunter22@example.com/" } }
  local r = after(secrets, "mcp__vault__read")
  expect(r.output.user):is("kim")
  expect(r.output.password):contains("[redacted")
  expect(json.encode(r)):never():contains("hunter22")
end)

test("a private key", function()
  local key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\n-----END OPENSSH PRIVATE KEY-----\n"
  local r = after(key)
  expect(r.output):never():contains("b3BlbnNza")
end)

test_each({
  "", "all tests passed", "password: see the wiki", "AKIAIOSFODNN7EXAMPLE",
}, "this stays: %s", function(value)
  expect(after(value).output):is(nil)
end)

test("a call without an output", function()
  expect(after(nil).output):is(nil)
end)

test("what is stored in the conversation, too", function()
  local call = { name = "read", input = { file_path = ".env" }, output = "GITHUB_TOKEN=" .. TOKEN }
  local r = fire("tool_result_persist", { tool_call = call })
  expect(json.encode(r)):never():contains(TOKEN)
end)
