-- secret-redactor: removes secrets from the output of tools and from what is sent.
--
-- The module redact and the option extra know what a secret looks like. No message of this hook shows a secret,
-- only how many there were and of what kind.

local settings = require("options").read((...))
local cleaner = require("cleaner")

local clean = cleaner.open(settings)

local function data(found)
  return { data = { redacted = found } }
end

local function told(what, found)
  local line = ("secret-redactor: removed %s from %s"):format(cleaner.told(found), what)
  if found.left_out then
    line = ("%s, and the last %d bytes, too many to be examined"):format(line, found.left_out)
  end
  return message(line .. ".")
end

-- The text of an error can't be rewritten, but the user can be told that it holds a secret.
local function told_of_error(ev)
  local _, found = clean(ev.error and ev.error.message or "")
  if found then
    return message(("secret-redactor: the error of the call holds %s, which can't be removed there."):format(cleaner.told(found)))
  end
end

-- In the judging round a rewrite is ignored.
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

-- A text that wasn't examined must not pass.
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
    return deny(("The message holds %s and isn't sent; remove it (secret-redactor)."):format(cleaner.told(found))), data(found)
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
    return deny(("The prompt holds %s; remove it (secret-redactor)."):format(cleaner.told(found))), data(found)
  end
  return ask(("The prompt holds %s. Send it to the model anyway? (secret-redactor)"):format(cleaner.told(found))), data(found)
end)
