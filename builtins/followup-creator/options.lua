-- The options of followup-creator: declared, and checked.

local settings = require("settings")

local options = {
  name = "followup-creator",
  help = "Finds the work that an agent leaves open and makes tasks of it. "
    .. "It reads the agent's answer, in English: markers (`TODO: add retries`), unticked boxes (`- [ ] add retries`), lists under a heading like Remaining work or Next steps, and sentences (\"the export is not yet implemented\", \"I left the retries for later\"). "
    .. "Text that only mentions work doesn't count: code, quotations, questions, conditions, what is over or done, what the user is to do. "
    .. "It looks at the answer alone, not at the files that the agent wrote, nor at its tool calls. Of an answer over 96 KiB it reads the end. A follow-up counts once in a session, however often the agent repeats it. "
    .. "One entry is enough, under `post_response` or, to have the agent go on, under `stop`. It reads answers at `post_response` in any case, and uses those if the host gives none at `stop`.",
  events = { "post_response", "stop", "subagent_stop" },
  options = {
    { name = "kinds", type = "choices", of = { "todo", "prose", "checklist" }, default = { "todo", "prose", "checklist" }, help = "What it looks for: markers, sentences and lists, unticked boxes." },
    { name = "markers", type = "texts", default = { "TODO", "FIXME", "XXX", "HACK" }, help = "The words that mark a todo; each is a word of letters, digits and _." },
    { name = "phrases", type = "texts", default = {}, help = "More phrases that make a sentence a follow-up, as plain text in any case." },
    { name = "ignore", type = "texts", default = {}, help = "Follow-ups that don't count: those that contain this text, in any case, or match it if it is a regular expression (RE2) between slashes." },
    { name = "max", type = "whole", least = 1, most = 100, default = 20, help = "The most follow-ups that it takes from one event; `followups_left_out` says how many more there were." },
    { name = "tasks", type = "boolean", default = true, help = "Makes a task of each follow-up, in the tracker that hooks.yaml names, with the event's issue as its parent; never two of the same. That takes part of the hook's time: if the tracker is a slow program, give the hook a `timeout` and raise `limits.timeout`." },
    { name = "continue", type = "boolean", default = false, help = "Under stop and subagent_stop: asks the agent, once for each follow-up, to go on and do it, as often as `max_followups` lets it. Then it makes tasks of what the agent still leaves open." },
  },
  data = {
    { name = "followups", type = "list", help = "the follow-ups that are new in this session, each {kind, text, line, source, task}: kind is todo, prose or checklist, line the line of the answer, source the place in the code that it names, task the id of its task; line, source and task may be missing" },
    { name = "followups_left_out", type = "number", help = "how many more the answer has; absent if there are none" },
  },
  examples = {
    {
      text = "What an answer leaves open, without tasks:",
      yaml = "post_response:\n  - {name: find-followups, builtin: followup-creator, with: {tasks: false}}",
      event = { event = "post_response", session_id = "s-1", response = "The importer works now.\n\nTODO: retry when the server is busy\n\nI haven't tested it with large files yet." },
      gives = { data = { followups = { { kind = "todo", text = "retry when the server is busy", line = 3 }, { kind = "prose", text = "I haven't tested it with large files yet", line = 5 } } } },
    },
    {
      text = "The agent may not stop before it has dealt with what it says is open:",
      yaml = "stop:\n  - {name: finish, builtin: followup-creator, with: {continue: true}}",
      event = { event = "stop", session_id = "s-1", response = "The parser is done. Error recovery is stubbed out for now." },
      gives = { decision = "deny", reason = "- Error recovery is stubbed out for now" },
    },
    {
      text = "Only boxes that aren't ticked, and no chores:",
      yaml = "post_response:\n  - {builtin: followup-creator, with: {kinds: checklist, ignore: [changelog, \"/^bump /\"], tasks: false}}",
      event = { event = "post_response", session_id = "s-1", response = "- [x] parser\n- [ ] error recovery\n- [ ] update the changelog" },
      gives = { data = { followups = { { kind = "checklist", text = "error recovery" } } } },
    },
  },
}

local function fail(format, ...)
  error("followup-creator: " .. format:format(...), 0)
end

-- Entries of ignore as functions that report whether a text is one of them.
local function ignored(entries)
  local list = {}
  for _, entry in ipairs(entries) do
    local pattern = #entry > 2 and entry:match("^/(.*)/$")
    if pattern then
      local compiled, problem = settings.pattern(pattern)
      if not compiled then
        fail("ignore: %s", problem)
      end
      pattern = re.compile("(?i)" .. pattern)
    else
      pattern = re.compile("(?i)" .. re.quote(entry))
    end
    list[#list + 1] = pattern
  end
  return list
end

-- read checks the options of an entry of hooks.yaml.
function options.read(with)
  local values = settings.read(options, with)
  for _, marker in ipairs(values.markers) do
    if not marker:match("^[%w_]+$") or #marker > 50 then
      fail("markers: %q is not a marker; a marker is a word of letters, digits and _, such as TODO", marker)
    end
  end
  values.ignore = ignored(values.ignore)
  return values
end

return options
