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
  same(r.output, "token [redacted: github token] ok\r\nkey [redacted: aws key]\n")
  same(r.modified, true)
  same(r.data.redacted, { count = 2, kinds = { ["github token"] = 1, ["aws key"] = 1 } })
  same(r.system_message, "secret-redactor: removed 2 secrets (aws key, github token) from the output.")
  hides(r, GITHUB)
  hides(r, AWS)
end)

test("nothing found is no answer", function()
  local hooks = start(POST)
  for _, output in ipairs({ "", "ok", "the password is asked for twice\n", "commit 9f30037d4cc4b0f2a1e5d6c7b8a90123456789ab", ("x"):rep(100000) }) do
    local r = post(hooks, output)
    same(r.output, nil)
    same(r.modified, nil)
    same(r.data, nil)
    same(r.system_message, nil)
  end
  same(post(hooks, nil).data, nil)
  same(post(hooks, 42).data, nil)
  same(post(hooks, json.array()).output, nil)
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
  same(r.output, {
    stdout = "export TOKEN=[redacted: github token]",
    stderr = "",
    code = 0,
    interrupted = false,
    list = json.array(),
    content = { { type = "text", text = "[redacted: aws key]" }, { type = "image" } },
    login = { user = "kim", password = "[redacted: password]" },
  })
  same(r.data.redacted.count, 3)
  hides(r, GITHUB)
  hides(r, PASSWORD)
end)

test("redacting again finds nothing", function()
  local hooks = start(POST .. "\ntool_result_persist: [{builtin: secret-redactor}]")
  local first = post(hooks, "key " .. AWS)
  local again = hooks:fire("tool_result_persist", { tool_call = { name = "bash", command = "x", output = first.output, outcome = "ok" } })
  same(again.output, nil)
  same(again.data, nil)
  same(hooks:fire("tool_result_persist", { tool_call = { name = "bash", command = "x", output = AWS, outcome = "error" } }).output, "[redacted: aws key]")
end)

test("marks that stood there don't count", function()
  local r = post(start(POST), "[redacted: aws key] [redacted: aws key] " .. AWS)
  same(r.data.redacted, { count = 1, kinds = { ["aws key"] = 1 } })
end)

test("a message is rewritten, or stopped", function()
  local event = { channel = "#builds", message = "deploy with " .. GITHUB }
  local r = start("message_sending: [{builtin: secret-redactor}]"):fire("message_sending", event)
  same(r.input.message, "deploy with [redacted: github token]")
  same(r.decision, "")
  hides(r, GITHUB)
  r = start("message_sending: [{builtin: secret-redactor, with: {block: true}}]"):fire("message_sending", event)
  same(r.decision, "deny")
  has(r.reason, "1 secret (github token)")
  same(r.input, nil)
  hides(r, GITHUB)
  event.message = { blocks = { { text = "deploy with " .. GITHUB } }, ts = 12.5 }
  r = start("message_sending: [{builtin: secret-redactor}]"):fire("message_sending", event)
  same(r.input.message, { blocks = { { text = "deploy with [redacted: github token]" } }, ts = 12.5 })
end)

test("a prompt is asked about, denied or redacted", function()
  local event = { prompt = "why is " .. GITHUB .. " refused?" }
  for _, choice in ipairs({ "ask", "deny" }) do
    local r = start(("pre_prompt: [{builtin: secret-redactor, with: {prompt: %s}}]"):format(choice)):fire("pre_prompt", event)
    same(r.decision, choice)
    hides(r, GITHUB)
  end
  local r = start("pre_prompt: [{builtin: secret-redactor, with: {prompt: redact}}]"):fire("pre_prompt", event)
  same(r.decision, "")
  same(r.input.prompt, "why is [redacted: github token] refused?")
  same(start("pre_prompt: [{builtin: secret-redactor}]"):fire("pre_prompt", { prompt = "go on" }).decision, "")
end)

test("what is allowed stays, as a whole only", function()
  local hooks = start(("post_tool_call: [{builtin: secret-redactor, with: {allow: ['AKIA.*', 'ghp_Ab3d']}}]"))
  local r = post(hooks, AWS .. " " .. GITHUB)
  same(r.output, AWS .. " [redacted: github token]")
  same(r.data.redacted.count, 1)
  same(post(hooks, AWS).output, nil)
  same(post(hooks, { password = AWS }).output, nil)
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
  same(r.output, "ACME-00000000 [redacted: acme key],[redacted: acme key] ü [redacted: x-1]")
  same(r.data.redacted, { count = 3, kinds = { ["acme key"] = 2, ["x-1"] = 1 } })
  same(post(hooks, { { "ACME-5f3c9a11" } }).output, { { "[redacted: acme key]" } })
  same(post(hooks, "ACME-00000000").output, nil)
  hides(r, "5f3c9a11")
end)

test("a pattern that also matches between letters loses no text", function()
  local hooks = start([[post_tool_call: [{builtin: secret-redactor, with: {extra: {a: 'ACME-\d+|\b'}}}]
]])
  same(post(hooks, "x ACME-12 y").output, "[redacted: a]x[redacted: a] [redacted: a] [redacted: a]y[redacted: a]")
end)

test("a wrong pattern or name is told when the hooks are loaded", function()
  local function problem(with)
    return start(("post_tool_call: [{builtin: secret-redactor, with: {%s}}]"):format(with)).problem()
  end
  has(problem('extra: {a: "("}'), "extra: a: pattern `(`: missing closing )")
  has(problem('extra: {a: "x*"}'), "matches the empty text")
  has(problem("extra: {a: 3}"), "is a text, got number")
  has(problem('extra: {"a]b": "x"}'), "can't be used in a mark")
  has(problem('extra: ["x"]'), "mapping")
  has(problem('allow: "["'), "allow: pattern `[`: ")
  has(problem("allow: '.*'"), "matches the empty text")
  has(problem("blok: true"), 'did you mean "block"?')
end)

test("many kinds are told in short", function()
  local names = {}
  for i = 1, 9 do
    names[i] = ("k%d: 'S%d-X'"):format(i, i)
  end
  local hooks = start(("post_tool_call: [{builtin: secret-redactor, with: {extra: {%s}}}]"):format(table.concat(names, ", ")))
  local r = post(hooks, "S1-X S2-X S3-X S4-X S5-X S6-X S7-X S8-X S9-X")
  has(r.system_message, "9 secrets (k1, k2, k3, k4, k5, 4 more kinds)")
end)

test("a secret in the text of an error is told, as it can't be taken out", function()
  local hooks = start(POST)
  local event = { tool_call = { name = "bash", command = "x", outcome = "error" }, error = { message = "login as " .. GITHUB .. " failed" } }
  local r = hooks:fire("post_tool_call", event)
  has(r.system_message, "the error of the call holds 1 secret (github token)")
  same(r.output, nil)
  hides(r, GITHUB)
  event.tool_call.output = "said " .. AWS
  r = hooks:fire("post_tool_call", event)
  same(r.output, "said [redacted: aws key]")
  has(r.system_message, "github token")
  hides(r, GITHUB)
end)

test("bytes that are no UTF-8 and long lines are no trouble", function()
  local hooks = start(POST)
  local r = post(hooks, ("a"):rep(300000) .. " " .. AWS .. " " .. ("ü"):rep(1000))
  same(r.output, ("a"):rep(300000) .. " [redacted: aws key] " .. ("ü"):rep(1000))
end)
