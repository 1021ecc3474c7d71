-- secret-redactor as hooks.yaml lists it. The secrets are put together here, so that no
-- scanner takes this file for one that leaks them.

local GITHUB = "ghp_" .. ("Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6"):sub(1, 36)
local AWS = "AKIA" .. "Q3EGR7TLZ5XW2VNB"
local PASSWORD = "kae9Oozo3ieG"

local POST = "post_tool_call: [{builtin: secret-redactor}]"

local function post(hooks, output, more)
  local call = { name = "bash", command = "x", output = output, outcome = "ok" }
  for k, v in pairs(more or {}) do
    call[k] = v
  end
  return hooks:fire("post_tool_call", { session_id = "a", tool_call = call })
end

-- No part of a secret longer than 4 characters is anywhere in an answer.
local function hides(answer, secret)
  local all = json.encode(answer)
  for i = 1, #secret - 4 do
    local part = secret:sub(i, i + 4)
    if all:find(part, 1, true) then
      error(("%s of the secret is in: %s"):format(part, all), 2)
    end
  end
end

test("a secret in an output becomes a mark", function()
  local r = post(start(POST), "token " .. GITHUB .. " ok\r\nkey " .. AWS .. "\n")
  expect(r.output):is("token [redacted: github token] ok\r\nkey [redacted: aws key]\n")
  expect(r.modified):is(true)
  expect(r.data.redacted):equals({ count = 2, kinds = { ["github token"] = 1, ["aws key"] = 1 } })
  expect(r.system_message):is("secret-redactor: removed 2 secrets (aws key, github token) from the output.")
  hides(r, GITHUB)
  hides(r, AWS)
end)

test("nothing found is no answer", function()
  local hooks = start(POST)
  for _, output in ipairs({ "", "ok", "the password is asked for twice\n", "commit 9f30037d4cc4b0f2a1e5d6c7b8a90123456789ab", ("x"):rep(100000) }) do
    local r = post(hooks, output)
    expect(r.output):is(nil)
    expect(r.modified):is(nil)
    expect(r.data):is(nil)
    expect(r.system_message):is(nil)
  end
  expect(post(hooks, nil).data):is(nil)
  expect(post(hooks, 42).data):is(nil)
  expect(post(hooks, json.array()).output):is(nil)
end)

test("an output that is a table keeps its shape", function()
  local r = post(start(POST), {
    stdout = "export TOKEN=" .. GITHUB,
    stderr = "",
    code = 0,
    interrupted = false,
    list = json.array(),
    content = { { type = "text", text = AWS }, { type = "image" } },
    login = { user = "kim", password = PASSWORD },
  })
  expect(r.output):equals({
    stdout = "export TOKEN=[redacted: github token]",
    stderr = "",
    code = 0,
    interrupted = false,
    list = json.array(),
    content = { { type = "text", text = "[redacted: aws key]" }, { type = "image" } },
    login = { user = "kim", password = "[redacted: password]" },
  })
  expect(r.data.redacted.count):is(3)
  hides(r, GITHUB)
  hides(r, PASSWORD)
end)

test("redacting again finds nothing", function()
  local hooks = start(POST .. "\ntool_result_persist: [{builtin: secret-redactor}]")
  local first = post(hooks, "key " .. AWS)
  local again = hooks:fire("tool_result_persist", { tool_call = { name = "bash", command = "x", output = first.output, outcome = "ok" } })
  expect(again.output):is(nil)
  expect(again.data):is(nil)
  expect(hooks:fire("tool_result_persist", { tool_call = { name = "bash", command = "x", output = AWS, outcome = "error" } }).output):is("[redacted: aws key]")
end)

test("marks that stood there don't count", function()
  local r = post(start(POST), "[redacted: aws key] [redacted: aws key] " .. AWS)
  expect(r.data.redacted):equals({ count = 1, kinds = { ["aws key"] = 1 } })
end)

test("a message is rewritten, or stopped", function()
  local event = { channel = "#builds", message = "deploy with " .. GITHUB }
  local r = start("message_sending: [{builtin: secret-redactor}]"):fire("message_sending", event)
  expect(r.input.message):is("deploy with [redacted: github token]")
  expect(r.decision):is("")
  hides(r, GITHUB)
  r = start("message_sending: [{builtin: secret-redactor, with: {block: true}}]"):fire("message_sending", event)
  expect(r.decision):is("deny")
  expect(r.reason):contains("1 secret (github token)")
  expect(r.input):is(nil)
  hides(r, GITHUB)
  event.message = { blocks = { { text = "deploy with " .. GITHUB } }, ts = 12.5 }
  r = start("message_sending: [{builtin: secret-redactor}]"):fire("message_sending", event)
  expect(r.input.message):equals({ blocks = { { text = "deploy with [redacted: github token]" } }, ts = 12.5 })
end)

test("a prompt is asked about, denied or redacted", function()
  local event = { prompt = "why is " .. GITHUB .. " refused?" }
  for _, choice in ipairs({ "ask", "deny" }) do
    local r = start(("pre_prompt: [{builtin: secret-redactor, with: {prompt: %s}}]"):format(choice)):fire("pre_prompt", event)
    expect(r.decision):equals(choice)
    hides(r, GITHUB)
  end
  local r = start("pre_prompt: [{builtin: secret-redactor, with: {prompt: redact}}]"):fire("pre_prompt", event)
  expect(r.decision):is("")
  expect(r.input.prompt):is("why is [redacted: github token] refused?")
  expect(start("pre_prompt: [{builtin: secret-redactor}]"):fire("pre_prompt", { prompt = "go on" }).decision):is("")
end)

test("what is allowed stays, as a whole only", function()
  local hooks = start(("post_tool_call: [{builtin: secret-redactor, with: {allow: ['AKIA.*', 'ghp_Ab3d']}}]"))
  local r = post(hooks, AWS .. " " .. GITHUB)
  expect(r.output):equals(AWS .. " [redacted: github token]")
  expect(r.data.redacted.count):is(1)
  expect(post(hooks, AWS).output):is(nil)
  expect(post(hooks, { password = AWS }).output):is(nil)
end)

test("one's own kinds of secrets are found, those allowed aren't", function()
  local hooks = start([[
post_tool_call:
  - builtin: secret-redactor
    with:
      extra: {acme key: "ACME-[0-9a-f]{8}", "x-1": "(x)-(1+)"}
      allow: ["ACME-0+"]
]])
  local r = post(hooks, "ACME-00000000 ACME-5f3c9a11,ACME-5f3c9a12 ü x-11")
  expect(r.output):is("ACME-00000000 [redacted: acme key],[redacted: acme key] ü [redacted: x-1]")
  expect(r.data.redacted):equals({ count = 3, kinds = { ["acme key"] = 2, ["x-1"] = 1 } })
  expect(post(hooks, { { "ACME-5f3c9a11" } }).output):equals({ { "[redacted: acme key]" } })
  expect(post(hooks, "ACME-00000000").output):is(nil)
  hides(r, "5f3c9a11")
end)

test("a pattern that also matches between letters loses no text", function()
  local hooks = start([[post_tool_call: [{builtin: secret-redactor, with: {extra: {a: 'ACME-\d+|\b'}}}]
]])
  expect(post(hooks, "x ACME-12 y").output):is("[redacted: a]x[redacted: a] [redacted: a] [redacted: a]y[redacted: a]")
end)

test("a wrong pattern or name is told when the hooks are loaded", function()
  local function problem(with)
    return start(("post_tool_call: [{builtin: secret-redactor, with: {%s}}]"):format(with)).problem()
  end
  expect(problem('extra: {a: "("}')):contains("extra: a: pattern `(`: missing closing )")
  expect(problem('extra: {a: "x*"}')):contains("matches the empty text")
  expect(problem("extra: {a: 3}")):contains("is a text, got number")
  expect(problem('extra: {"a]b": "x"}')):contains("can't be used in a mark")
  expect(problem('extra: ["x"]')):contains("mapping")
  expect(problem('allow: "["')):contains("allow: pattern `[`: ")
  expect(problem("allow: '.*'")):contains("matches the empty text")
  expect(problem("blok: true")):contains('did you mean "block"?')
end)

test("many kinds are told in short", function()
  local names = {}
  for i = 1, 9 do
    names[i] = ("k%d: 'S%d-X'"):format(i, i)
  end
  local hooks = start(("post_tool_call: [{builtin: secret-redactor, with: {extra: {%s}}}]"):format(table.concat(names, ", ")))
  local r = post(hooks, "S1-X S2-X S3-X S4-X S5-X S6-X S7-X S8-X S9-X")
  expect(r.system_message):contains("9 secrets (k1, k2, k3, k4, k5, 4 more kinds)")
end)

test("a secret in the text of an error is told, as it can't be taken out", function()
  local hooks = start(POST)
  local event = { tool_call = { name = "bash", command = "x", outcome = "error" }, error = { message = "login as " .. GITHUB .. " failed" } }
  local r = hooks:fire("post_tool_call", event)
  expect(r.system_message):contains("the error of the call holds 1 secret (github token)")
  expect(r.output):is(nil)
  hides(r, GITHUB)
  event.tool_call.output = "said " .. AWS
  r = hooks:fire("post_tool_call", event)
  expect(r.output):is("said [redacted: aws key]")
  expect(r.system_message):contains("github token")
  hides(r, GITHUB)
end)

test("bytes that are no UTF-8 and long lines are no trouble", function()
  local hooks = start(POST)
  local r = post(hooks, ("a"):rep(300000) .. " " .. AWS .. " " .. ("ü"):rep(1000))
  expect(r.output):equals(("a"):rep(300000) .. " [redacted: aws key] " .. ("ü"):rep(1000))
end)
