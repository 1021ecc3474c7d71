-- context-injector: tells the agent what it needs to know of the project.
--
-- Once per session, before the first prompt, and again when the conversation was compacted
-- or begun anew: the coding standards, the structure, what has changed lately and the tasks
-- of the issue. Each section is a file of context-injector/; page.lua puts them together
-- within the budget, and session.lua knows who has been told.

local settings = require("options").read((...))
local page = require("page")
local session = require("session")

-- given is what the agent is told of the page, and that it needn't be told again.
local function given(ev, once)
  local text, sections = page.write(settings, ev)
  if not text then
    return nil
  end
  local problem = once and session.remember(ev)
  return {
    new_context = text,
    system_message = problem and ("context-injector: what the agent knows of the project will be told again, since that it was told can't be kept (%s)"):format(problem) or nil,
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

-- What follows decides nothing: it forgets who has been told. It is there under whichever
-- event hooks.yaml lists the built-in.
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
