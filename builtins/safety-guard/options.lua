-- The options of safety-guard, checked.

local PACKS = { "containers", "kubernetes", "terraform", "cloud", "databases", "publishing", "remote", "secrets", "forges", "services", "git" }

local options = {
  name = "safety-guard",
  help = "Refuses tool calls that destroy work beyond repair, or asks about them: deletions, lost git history, disks, databases, and everything that would disarm luahook itself. It is on without any configuration. [safety-guard.md](safety-guard.md) explains its levels and options, [safety-guard-rules.md](safety-guard-rules.md) lists its rules.",
  events = { "pre_tool_call", "permission_request" },
  options = {
    { name = "level", type = "choice", of = { "standard", "strict", "audit" }, default = "standard", help = "How much it stops; audit stops nothing and says what it would have stopped." },
    { name = "packs", type = "choices", of = PACKS, default = {}, help = "More rules, by subject; all stands for every pack." },
    { name = "allow", type = "texts", default = {}, help = "Commands that pass, each as you would type it, with * for the part that may vary." },
    { name = "disable", type = "texts", default = {}, help = "Rules that are off, by id or as class.*." },
    { name = "allow_paths", type = "texts", default = {}, help = "Folders whose content may be thrown away." },
    { name = "protect_paths", type = "texts", default = {}, help = "Files that may not be written or deleted, as paths or globs." },
    { name = "worktrees", type = "choice", of = { "guarded", "relaxed" }, default = "guarded", help = "relaxed: work in a linked worktree of git may be thrown away." },
  },
  data = {},
  examples = {
    {
      text = "The guard with two packs, and a command that it lets pass:",
      yaml = 'pre_tool_call:\n  - {name: guard, builtin: safety-guard, with: {packs: [terraform, cloud], allow: "git reset --hard origin/*"}}',
      event = { event = "pre_tool_call", tool_call = { name = "bash", command = "terraform destroy -auto-approve" } },
      gives = { decision = "deny" },
    },
  },
  packs = PACKS,
}

function options.did_you_mean(...)
  return require("settings").did_you_mean(...)
end

local function fail(format, ...)
  error("safety-guard: " .. format:format(...), 0)
end

-- Whether a line is one command, with what that runs.
local function is_one(commands)
  for i = 2, #commands do
    if not commands[i].parent then
      return false
    end
  end
  return #commands > 0
end

-- An entry of allow is one command, whose words may be patterns; a last word * stands for any further words.
local function commands(entries)
  local list = {}
  for _, entry in ipairs(entries) do
    local line = shell.parse(entry, { home = host.home or nil })
    if line.error or not is_one(line.commands) then
      fail("allow: %q is not one command with a known name; write it as you would type it, with * for what may vary", entry)
    end
    for _, cmd in ipairs(line.commands) do
      if not cmd.name or cmd.dynamic then
        fail("allow: %q is not one command with a known name; write it as you would type it, with * for what may vary", entry)
      elseif #cmd.redirects > 0 then
        fail("allow: %q has a redirection, which isn't part of a command; leave it out", entry)
      end
    end
    for _, each in ipairs(require("allowed").entries(line.commands)) do
      list[#list + 1] = each
    end
  end
  return list
end

local function paths(entries, name)
  local list = {}
  for _, entry in ipairs(entries) do
    if entry:sub(1, 2) == "~/" and host.home then
      entry = path.join(host.home, entry:sub(3))
    end
    if name == "allow_paths" and (path.clean(entry) == "/" or path.clean(entry) == host.home) then
      fail("allow_paths: %q is everything; name the folders that may be thrown away", entry)
    end
    list[#list + 1] = entry
  end
  return list
end

-- The values of an entry. Usually there is none, and the defaults need no check.
local function values_of(with)
  if next(with) then
    return require("settings").read(options, with)
  end
  local values = {}
  for _, option in ipairs(options.options) do
    values[option.name] = option.default
  end
  return values
end

-- read checks the options of an entry of hooks.yaml. The names in disable are checked
-- by the rulebook, which knows the rules.
function options.read(with)
  local values = values_of(with)
  return {
    level = values.level,
    strict = values.level == "strict",
    packs = values.packs,
    allow = commands(values.allow),
    disable = values.disable,
    allow_paths = paths(values.allow_paths, "allow_paths"),
    protect_paths = paths(values.protect_paths, "protect_paths"),
    relaxed = values.worktrees == "relaxed",
  }
end

return options
