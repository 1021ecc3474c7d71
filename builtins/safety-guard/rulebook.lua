-- The rules that are on, and where to find those that a command can break.
--
-- A file of rules/ or packs/ returns { class = "git", title = "...", rules = { rule, ... } }. A rule is
--
--   id          "git.reset-hard": its class and a name; users switch it off by it
--   severity    "critical" or "high": denied; "medium": asked
--   level       "strict": only in that level; nil: in each
--   on          what it judges: "command" (the default), "file", "statement", "line"
--   programs    of a rule on commands: the names it is about; nil: every command
--   looks_at    one line: what of the model it reads
--   when        a table (see match.lua) or a function(subject, scene) that returns what was
--               found: a text for {detail} in the reason, or true; nil where nothing is
--   remote      true: also of commands that run on another machine (the pack remote judges all)
--   reason      why, in a sentence
--   advice      what to do instead, in a sentence
--   suggestion  a command that does it and passes the guard
--   blocked     examples that it stops; docs/safety-guard.md shows the first
--   passes      examples that are near and that the guard leaves alone
--
-- The subject of a rule on commands is a command of shell.parse; on files
-- {path, access, dynamic, glob, home, cmd}, where cmd is nil for tools that aren't shells;
-- on statements one of sql.find; on lines {commands, error, too_complex}. A rule never sees the text of the call.

local match = require("match")
local options = require("options")

local rulebook = {}

rulebook.core = { "self", "deletion", "git", "disk", "permissions", "processes", "execution", "files", "sql", "unknown" }

-- load reads one file of rules and fills in what follows from the file.
local function load(name)
  local file = require(name)
  for _, rule in ipairs(file.rules) do
    rule.class, rule.on = file.class, rule.on or "command"
    if type(rule.when) == "table" and not rule.test then
      rule.test = match.compile(rule.when)
    else
      rule.test = rule.test or rule.when
    end
    rule.decision = rule.severity == "medium" and "ask" or "deny"
  end
  return file
end

-- files lists all files of rules: those of the core, and those of the packs.
function rulebook.files(packs)
  local files = {}
  for _, name in ipairs(rulebook.core) do
    files[#files + 1] = load("rules." .. name)
  end
  for _, name in ipairs(packs) do
    local file = load("packs." .. name)
    file.pack = name
    files[#files + 1] = file
  end
  return files
end

-- disabled checks the names in disable: ids, or a class with .* behind it.
local function disabled(names)
  local off = {}
  if #names == 0 then
    return off
  end
  local ids = {}
  for _, file in ipairs(rulebook.files(options.packs)) do
    for _, rule in ipairs(file.rules) do
      ids[#ids + 1] = rule.id
      for _, name in ipairs(names) do
        if name == rule.id or name == rule.class .. ".*" then
          if rule.class == "self" then
            error(("safety-guard: disable: %q can't be switched off: an agent must not disarm its guard"):format(name), 0)
          end
          off[rule.id], off[name] = true, true
        end
      end
    end
  end
  for _, name in ipairs(names) do
    if not off[name] then
      error(("safety-guard: disable: no rule %q%s"):format(name, options.did_you_mean(name, ids)), 0)
    end
  end
  return off
end

local function append(index, key, rule)
  local list = index[key]
  if not list then
    list = {}
    index[key] = list
  end
  list[#list + 1] = rule
end

-- open makes the index of the rules that are on.
function rulebook.open(settings)
  local book = { programs = {}, every = {}, file = {}, statement = {}, line = {}, settings = settings }
  local off = disabled(settings.disable)
  for _, name in ipairs(settings.packs) do
    book[name] = true -- that the pack is on
  end
  for _, file in ipairs(rulebook.files(settings.packs)) do
    for _, rule in ipairs(file.rules) do
      if not off[rule.id] and (rule.level ~= "strict" or settings.strict) then
        book.reads = book.reads or rule.reads
        if rule.on ~= "command" then
          append(book, rule.on, rule)
        elseif rule.programs then
          for _, program in ipairs(rule.programs) do
            append(book.programs, program, rule)
          end
        else
          book.every[#book.every + 1] = rule
        end
      end
    end
  end
  return book
end

return rulebook
