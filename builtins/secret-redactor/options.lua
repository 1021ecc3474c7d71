-- The options of secret-redactor.

local settings = require("settings")

local options = {
  name = "secret-redactor",
  help = "Takes secrets out of outputs of tools and out of messages before they are sent: tokens of known formats, private keys, passwords in URLs, in commands and behind names that say so, cookies, and the values of the environment variables whose names say secret. "
    .. "Each becomes a mark that says what it was, `[redacted: github token]`. All else stays as it is, the shape of tables too, and without a find there is no answer. Under `pre_prompt` it asks, unless `prompt` says otherwise. "
    .. "It reports a find by its kind and never shows it. It leaves out what goes beyond 6 MiB of an output, and doesn't let it through. "
    .. "If it fails, has wrong options or can't be loaded, outputs are withheld and messages and prompts denied, unless its entry has another `on_failure`. It finds secrets that lie about by mistake; a person who wants to get a secret past it can encode it.",
  events = { "post_tool_call", "tool_result_persist", "message_sending", "pre_prompt" },
  options = {
    { name = "block", type = "boolean", default = false, help = "true: stops a message with a secret instead of redacting it." },
    { name = "prompt", type = "choice", of = { "ask", "deny", "redact" }, default = "ask", help = "What happens to a prompt with a secret; redact is for hosts that let a hook rewrite it." },
    { name = "allow", type = "texts", default = {}, help = "Secrets that stay, such as the keys of test accounts, as regular expressions (RE2) for the whole secret." },
    { name = "extra", type = "map", default = {}, help = "More secrets, as regular expressions by the name that the mark gets: `{acme key: \"ACME-[0-9a-f]{32}\"}`." },
  },
  data = {
    { name = "redacted", type = "table", help = "count, how many secrets there were, kinds, how many of each kind, and left_out, how many bytes were too many to be examined" },
  },
  examples = {
    {
      text = "Keeps secrets out of the conversation:",
      yaml = "post_tool_call:\n  - {builtin: secret-redactor}",
      event = { event = "post_tool_call", tool_call = { name = "bash", command = "cat .env", output = "STAGE=test\nDB_PASSWORD=kae9Oozo3ieG\n", outcome = "ok" } },
      gives = { output = "STAGE=test\nDB_PASSWORD=[redacted: password]\n", data = { redacted = { count = 1, kinds = { password = 1 } } } },
    },
    {
      text = "Doesn't send a message with a secret, one's own kind of keys included; those of tests may pass:",
      yaml = 'message_sending:\n  - {builtin: secret-redactor, with: {block: true, extra: {acme key: "ACME-[0-9a-f]{8,}"}, allow: "ACME-0+"}}',
      event = { event = "message_sending", channel = "#builds", message = "use ACME-00000000 in tests and ACME-5f3c9a11 else" },
      gives = { decision = "deny", reason = "1 secret (acme key)" },
    },
    {
      text = "Asks before a prompt with a secret goes to the model:",
      yaml = "pre_prompt:\n  - {builtin: secret-redactor}",
      event = { event = "pre_prompt", prompt = "why does postgres://shop:kae9Oozo3ieG@db/shop not connect?" },
      gives = { decision = "ask", reason = "1 secret (password)" },
    },
  },
}

local function fail(format, ...)
  error("secret-redactor: " .. format:format(...), 0)
end

-- A compiled pattern that is valid and can't match the empty text.
local function compiled(option, pattern)
  if type(pattern) ~= "string" then
    fail("%s: a regular expression is a text, got %s", option, type(pattern))
  end
  local result, problem = settings.pattern(pattern)
  if not result then
    fail("%s: %s", option, problem)
  elseif result:match("") then
    fail("%s: %q matches the empty text", option, pattern)
  end
  return result
end

-- read checks the options of an entry of hooks.yaml: {block, prompt, allow = {patterns of the whole secret},
-- extra = {{name, mark, pattern}}}.
function options.read(with)
  local values = settings.read(options, with)
  for i, pattern in ipairs(values.allow) do
    compiled("allow", pattern)
    values.allow[i] = compiled("allow", "(?s)^(?:" .. pattern .. ")$")
  end
  local extra = {}
  for name, pattern in pairs(values.extra) do
    if type(name) ~= "string" or #name > 60 or not name:find("^%w[%w _.-]*$") then
      fail("extra: %q can't be used in a mark; a name has letters, digits, blanks, and . _ -", tostring(name):sub(1, 60))
    end
    extra[#extra + 1] = { mark = ("[redacted: %s]"):format(name), name = name, pattern = compiled(("extra: %s"):format(name), pattern) }
  end
  table.sort(extra, function(a, b) return a.name < b.name end)
  values.extra = extra
  return values
end

return options
