-- context-injector: tells the agent what it needs to know about the project.
--
-- Once per session, before the first prompt, and again after the conversation was compacted or restarted: the
-- coding standards, the structure, recent changes and the tasks of the issue. Each section is a file of
-- context-injector/; page.lua puts them together within the budget, and session.lua knows which agents have got
-- it.

local settings = require("options").read((...))
local page = require("page")
local session = require("session")

-- given returns the page as new context, and remembers that the agent has got it.
local function given(ev, once)
  local text, sections = page.write(settings, ev)
  if not text then
    return nil
  end
  local problem = once and session.remember(ev)
  return {
    new_context = text,
    system_message = problem and ("context-injector: the agent will get the project page again, because the store failed (%s)"):format(problem) or nil,
    data = { injected_sections = json.array(sections), injected_tokens = page.tokens(text) },
  }
end

local function tell(ev)
  local once = settings.every == "session" and ev.session_id ~= nil
  if once and session.knows(ev) then
    return nil
  end
  return given(ev, once)
end

-- The hooks below decide nothing: they forget which agents have got the page. They run whatever event hooks.yaml
-- lists the built-in under.
local function forget_session(ev)
  if ev.source ~= "startup" then
    session.forget(ev)
  end
end

on("session_start", { name = "context-injector-forget", always = true, on_failure = "warn" }, forget_session)
on("pre_compact", { name = "context-injector-forget", always = true, on_failure = "warn" }, session.before_compaction)
on("post_compact", { name = "context-injector-forget", always = true, on_failure = "warn" }, session.after_compaction)

on("session_start", { name = "context-injector" }, tell)
on("pre_prompt", { name = "context-injector" }, tell)
-- A subagent has a conversation of its own.
on("subagent_start", { name = "context-injector" }, function(ev)
  return given(ev, false)
end)
