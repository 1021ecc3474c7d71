-- secret-redactor: takes secrets out of what tools give back and of what is sent.
--
-- What a secret looks like is known to the module redact, and to the option extra. Nothing
-- that is told here shows a secret, only how many there were and of what kind.

local settings = require("options").read((...))
local cleaner = require("cleaner")

local clean = cleaner.open(settings)

local function data(found)
  return { data = { redacted = found } }
end

local function told(what, found)
  local line = ("secret-redactor: took %s out of %s"):format(cleaner.told(found), what)
  if found.left_out then
    line = ("%s, and the last %d bytes, which are too many to be looked through"):format(line, found.left_out)
  end
  return message(line .. ".")
end

-- The text of an error can't be rewritten; that it holds a secret can be told.
local function told_of_error(ev)
  local _, found = clean(ev.error and ev.error.message or "")
  if found then
    return message(("secret-redactor: the error of the call holds %s, which can't be taken out there."):format(cleaner.told(found)))
  end
end

-- In the judging round a rewrite counts for nothing.
local function result(ev)
  if ev.judging then
    return nil
  elseif ev.tool_call.output == nil then
    return told_of_error(ev)
  end
  local kept, left_out = cleaner.fit(ev.tool_call.output)
  local redacted, found = clean(kept)
  if left_out > 0 then
    found = found or { count = 0, kinds = {} }
    found.left_out = left_out
    return output(redacted or kept), data(found), told("the output", found), told_of_error(ev)
  elseif found then
    return output(redacted), data(found), told("the output", found), told_of_error(ev)
  end
  return told_of_error(ev)
end

-- What it hasn't looked through must not pass.
local with = { name = "secret-redactor", on_failure = "block" }

on("post_tool_call", with, result)
on("tool_result_persist", with, result)

on("message_sending", with, function(ev)
  if ev.message == nil then
    return nil
  end
  local redacted, found = clean(ev.message)
  if not found then
    return nil
  elseif settings.block then
    return deny(("The message holds %s and isn't sent; take that out of it (secret-redactor)."):format(cleaner.told(found))), data(found)
  end
  return modify({ message = redacted }), data(found), told("the message", found)
end)

on("pre_prompt", with, function(ev)
  if ev.prompt == nil then
    return nil
  end
  local redacted, found = clean(ev.prompt)
  if not found then
    return nil
  elseif settings.prompt == "redact" then
    return modify({ prompt = redacted }), data(found), told("the prompt", found)
  elseif settings.prompt == "deny" then
    return deny(("The prompt holds %s; take that out of it (secret-redactor)."):format(cleaner.told(found))), data(found)
  end
  return ask(("The prompt holds %s. Give it to the model all the same? (secret-redactor)"):format(cleaner.told(found))), data(found)
end)
