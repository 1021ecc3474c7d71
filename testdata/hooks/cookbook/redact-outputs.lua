-- Takes secrets out of what tools give the agent: tokens, private keys, passwords.
--
-- What isn't kept from the agent's own reading of files and variables is at least not read by the model. The built-in
-- secret-redactor has options for more kinds of secrets, and for messages and prompts.
local KEEP = { re.compile("^AKIAIOSFODNN7EXAMPLE$") } -- keys for tests and examples, which may be seen

-- on_failure: an output that couldn't be examined is withheld.
on({ "post_tool_call", "tool_result_persist" }, { on_failure = "block" }, function(ev)
  local clean, found = redact.report(ev.tool_call.output, { keep = KEEP })
  if found > 0 then
    return output(clean), message(("secrets taken out of the output of %s: %d"):format(ev.tool_call.name, found))
  end
end)
