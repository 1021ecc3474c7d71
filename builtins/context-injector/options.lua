-- The options of context-injector, checked.

local settings = require("settings")

local options = {
  name = "context-injector",
  help = "Tells the agent what it needs to know of the project: the coding standards, the structure, recent changes and the tasks of the event's `issue_id`. "
    .. "It does so once per session and again when the conversation was compacted, resumed or cleared. "
    .. "The text stays within a budget; the earlier a section stands in `sections`, the larger its share, and the text says what is left out. "
    .. "It quotes contents of files between marks, with secrets redacted. It never reads files outside of the project, and files whose names say that they hold secrets. "
    .. "Without git it reads the structure from the folders and their .gitignore files, except in the home folder itself and in /, and leaves recent changes out. "
    .. "List it under `pre_prompt`, under `session_start` or both; under `subagent_start` it tells every subagent. Without a session_id it answers each event.",
  events = { "session_start", "pre_prompt", "subagent_start" },
  options = {
    { name = "sections", type = "choices", of = { "standards", "structure", "changes", "tasks" }, default = { "standards", "structure", "changes", "tasks" }, help = "What it tells, in this order." },
    { name = "every", type = "choice", of = { "session", "prompt" }, default = "session", help = "session: once per session; prompt: each time." },
    { name = "budget", type = "whole", default = 2000, least = 150, most = 50000, help = "The most tokens that the text may have, at about 4 bytes each." },
    { name = "files", type = "texts", default = { "AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md", ".editorconfig" }, help = "Files with standards, as paths or globs. A name without a slash means the project's root and the folders from there down to the event's `cwd`." },
    { name = "host_reads", type = "texts", default = {}, help = "Those of the files that the host gives to the model anyway, so that the model doesn't get them twice: CLAUDE.md under Claude Code, AGENTS.md under Codex." },
    { name = "depth", type = "whole", default = 3, least = 1, most = 20, help = "Levels of the structure." },
    { name = "entries", type = "whole", default = 30, least = 1, most = 500, help = "Entries of each folder of the structure." },
    {
      name = "skip",
      type = "texts",
      default = { "node_modules", "bower_components", "vendor", "Pods", "target", "dist", "build", "out", "coverage", "venv", ".venv", "__pycache__", ".tox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".gradle", ".next", ".nuxt", ".terraform", ".cache", ".hg", ".svn", ".jj" },
      help = "Names of folders that aren't in the structure unless git tracks something in them.",
    },
    { name = "commits", type = "whole", default = 10, least = 0, most = 100, help = "How many of the latest commits it tells." },
    { name = "git_timeout", type = "duration", default = "2s", least = "10ms", most = "1m", help = "How long git may take in all; without git, how long the look at the folders may take (a second at most). What takes longer is left out." },
    { name = "tasks_timeout", type = "duration", default = "1.5s", least = "10ms", most = "1m", help = "How long the tracker of tasks may take. A built-in has 5 seconds for all its work, unless `timeout` gives it more." },
  },
  data = {
    { name = "injected_sections", type = "list", help = "the sections that the text has" },
    { name = "injected_tokens", type = "number", help = "about how many tokens it has" },
  },
  examples = {
    {
      text = "What the agent should know, before the first prompt of each session:",
      yaml = "pre_prompt:\n  - {name: inject-context, builtin: context-injector}",
      files = { ["AGENTS.md"] = "Run `make check` before you commit.\n", ["src/main.go"] = "package main\n", ["go.mod"] = "module shop\n" },
      event = { event = "pre_prompt", session_id = "s-1", prompt = "Fix the rounding" },
      gives = { new_context = "Run `make check` before you commit.", data = { injected_sections = { "standards", "structure" } } },
    },
    {
      text = "Under Claude Code, which reads CLAUDE.md itself: a short page when a session starts, the structure first, with the rules of a folder:",
      yaml = 'session_start:\n  - {builtin: context-injector, with: {sections: [structure, changes, standards], files: [CLAUDE.md, CONTRIBUTING.md, "docs/rules/*.md"], host_reads: CLAUDE.md, budget: 1000}}',
      files = { ["CLAUDE.md"] = "Be brief.\n", ["docs/rules/go.md"] = "Errors are wrapped.\n" },
      event = { event = "session_start", session_id = "s-1", source = "startup" },
      gives = { new_context = "Errors are wrapped.", data = { injected_sections = { "structure", "standards" } } },
    },
    {
      text = "A session that is compacted is told again:",
      yaml = "pre_prompt:\n  - {builtin: context-injector, with: {sections: standards, files: [AGENTS.md]}}",
      files = { ["AGENTS.md"] = "Tests first.\n" },
      before = { { event = "pre_prompt", session_id = "s-1", prompt = "Fix the rounding" }, { event = "post_compact", session_id = "s-1", trigger = "auto" } },
      event = { event = "pre_prompt", session_id = "s-1", prompt = "And now?" },
      gives = { new_context = "Tests first." },
    },
  },
}

local function fail(format, ...)
  error("context-injector: " .. format:format(...), 0)
end

local function without_doubles(list)
  local kept, seen = {}, {}
  for _, v in ipairs(list) do
    if not seen[v] then
      seen[v] = true
      kept[#kept + 1] = v
    end
  end
  return kept
end

-- read checks the options of an entry of hooks.yaml.
function options.read(with)
  local values = settings.read(options, with)
  values.sections = without_doubles(values.sections)
  if #values.sections == 0 then
    fail("sections is empty; leave it out for all of them")
  end
  for _, name in ipairs(values.skip) do
    if #name > 255 or name:find("[/\\*?%[%]!#%c ]") then
      fail("skip: %q is not the name of a folder", name)
    end
  end
  for _, name in ipairs(values.files) do
    if path.is_abs(name) or not path.inside("/project", name) then
      fail("files: %q is not a path in the project", name)
    end
  end
  local function milliseconds(seconds)
    return ("%dms"):format(math.floor(seconds * 1000))
  end
  values.walk_timeout_text = milliseconds(math.min(values.git_timeout, 1))
  values.tasks_timeout_text = milliseconds(values.tasks_timeout)
  return values
end

return options
