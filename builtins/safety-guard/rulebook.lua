-- The rules that are on, and how to find those that a command can break. Files of rules are loaded when a call
-- first needs them: index.lua says which those are.
--
-- A file of rules/ or packs/ returns { class = "git", title = "...", rules = { rule, ... } }. A rule is
--
--   id          "git.reset-hard": its class and a name; users switch it off by it
--   severity    "critical" or "high": denied; "medium": asked
--   level       "strict": only in that level; nil: in each
--   on          what it judges: "command" (the default), "file", "statement", "line", "call" (of a tool that isn't known)
--   programs    of a rule on commands: the names it is about; "git push" is git, hub and git-push
--               with that subcommand, "git ?" git without one, "?" a command without a name, or whose name isn't known
--   needs       of a rule on commands: what a command must have, one of these: "multiplies", "decoded" or
--               "remote" (fields), "blank" (one in its name), "tool" (its name ends with "ctl" or "cli"),
--               "luahook" (that text in an argument), "endless" ("zero" or "random" in an argument), "committed" (beside
--               it in the line a git with a ":" in an argument), "hands_on", "stores" (see judge.lua).
--               With programs, too, either is enough; without both, every command is judged
--   only        of a rule on commands: what its programs must have for it, by which others are passed over without reading
--               it: "told" (an argument that another command prints), "fed" (that, an input, or a redirection), "script"
--               (that, or an argument that is more than a name), "sends" (that, a file, or another command that runs
--               it), "module" (-m), "links" (an option with l or s in it), "address" (an argument with ":" or "/"), "share" (one with two slashes at its beginning),
--               "run" (another command runs it), "pushed" (the line has a git push), "loses" (git loses something, is
--               forced, or pushes what its settings say), "unhooked" (git skips hooks, or stores a setting). Or a table
--               of more programs by that: { told = { "npm" } }
--   about       of a rule on files: which ones, if not all that are written or deleted: "device" (below /dev, /proc or
--               /sys, a drive of Windows, and those that aren't known), "redirected", "written" (by a command), "tool" (of
--               a tool that is no shell)
--   reads       true: of a rule on files that is about reading, too; the others never see a file
--               that is only read
--   gate        of a rule on files: a function(file, scene) that several rules share; if it
--               finds nothing, none of them is asked. Of files that a command only writes it sees those that marked.lua marks
--   looks_at    one line: the part of the model that it reads
--   when        a table (see match.lua) or a function(subject, scene) that returns its
--               finding: a text for {detail} in the reason, or true; nil if there is none
--   always      of a rule of a pack: what it asks about while its pack is off, too: true for all that it is about, or a
--               function(subject, scene) or a table as in when, which must agree
--   always_for  the names of programs that this is about; nil: all of programs
--   remote      true: also for commands that run on another machine (the pack remote judges all)
--   reason      why, in a sentence
--   advice      what to do instead, in a sentence
--   suggestion  a command that does it and passes the guard
--   blocked     examples that it stops; docs/safety-guard-rules.md shows the first
--   passes      similar examples that the guard leaves alone
--
-- looks_at, suggestion, blocked and passes are for the tests and the documentation: the compiled form leaves them out.
--
-- The subject of a rule on commands is a command of shell.parse; on files {path, access, dynamic, glob, home,
-- cmd}, where cmd is nil for tools that aren't shells; on statements one of sql.find; on lines that can't be
-- parsed {error, too_complex}; on calls {words, input}, the words of the tool's name and of its actions. A rule never sees the text of the call.

local index = require("index")
local marked = require("marked")
local options = require("options")
local readers = require("readers")

local rulebook = {}

rulebook.core = {
  "self", "hookfiles", "deletion", "deletion_unknown", "overwrite", "loss", "loss_written", "git", "history", "undone", "gitfiles", "disk", "disk_images", "volumes",
  "permissions", "accounts", "processes", "execution", "input", "files", "files_agents", "leaks", "leaks_git", "leaks_served", "sql", "calls", "windows", "machine", "unknown",
}

-- The files whose rules are of class self.
rulebook.own = { ["rules.self"] = true, ["rules.hookfiles"] = true }

-- conditions are what only can say, in the order in which rules are asked.
rulebook.conditions = { "told", "fed", "script", "sends", "module", "links", "address", "share", "run", "pushed", "loses", "unhooked" }

-- tags lists the tags that find a rule: names of programs, "git:<subcommand>", both with "/<only>" where there is more to
-- ask, "needs:<need>", or "on:<what>", for rules on files "on:file", "on:reading" or "on:<about>".
function rulebook.tags(rule, programs)
  programs = programs or rule.programs
  local only = rule.only
  if rule.on == "file" then
    local tag = "on:" .. (rule.about or "file")
    return rule.reads and { tag, "on:reading" } or { tag }
  elseif rule.on ~= "command" then
    return { "on:" .. rule.on }
  elseif not programs and not rule.needs then
    return { "on:command" }
  end
  local tags = {}
  local function add(names, condition)
    for _, name in ipairs(names or {}) do
      tags[#tags + 1] = name:gsub(" ", ":") .. condition
    end
  end
  if type(only) == "string" then
    add(programs, "/" .. only)
  else
    add(programs, "")
    for _, condition in ipairs(only and rulebook.conditions or {}) do
      add(only[condition], "/" .. condition)
    end
  end
  for _, need in ipairs(rule.needs or {}) do
    tags[#tags + 1] = "needs:" .. need
  end
  return tags
end

-- read loads a file of rules and sets the fields that follow from the file.
local function read(name)
  local file = require(name)
  assert((file.class == "self") == (rulebook.own[name] or false), "rulebook.own lists the files of class self")
  for _, rule in ipairs(file.rules) do
    rule.class, rule.on = file.class, rule.on or "command"
    if type(rule.when) == "table" and not rule.test then
      rule.test = require("match").compile(rule.when)
    else
      rule.test = rule.test or rule.when
    end
    if type(rule.always) == "table" then
      rule.always = require("match").compile(rule.always)
    end
    rule.asks, rule.own = rule.severity == "medium", file.class == "self"
    rule.decision = rule.asks and "ask" or "deny"
  end
  return file
end

-- names lists the files of rules: those of the core, and those of the packs.
local function names(packs)
  local list = {}
  for _, name in ipairs(rulebook.core) do
    list[#list + 1] = "rules." .. name
  end
  for _, name in ipairs(packs) do
    list[#list + 1] = "packs." .. name
  end
  return list
end

-- files loads all files of rules, for the tests.
function rulebook.files(packs)
  local files = {}
  for i, name in ipairs(names(packs)) do
    files[i] = read(name)
    files[i].name, files[i].pack = name, name:match("^packs%.(.*)")
  end
  return files
end

-- disabled checks the names in disable: ids, or a class followed by .*
local function disabled(entries)
  local off = {}
  if #entries == 0 then
    return off
  end
  local ids, of = {}, require("index_more").ids
  for _, file in ipairs(names(options.packs)) do
    for _, id in ipairs(text.split(of[file], " ")) do
      ids[#ids + 1] = id
      for _, name in ipairs(entries) do
        local class = id:match("^[^.]+")
        if name == id or name == class .. ".*" then
          if class == "self" then
            error(("safety-guard: disable: %q can't be switched off: an agent must not disarm its guard"):format(name), 0)
          end
          off[id], off[name] = true, true
        end
      end
    end
  end
  for _, name in ipairs(entries) do
    if not off[name] then
      error(("safety-guard: disable: no rule %q%s"):format(name, options.did_you_mean(name, ids)), 0)
    end
  end
  return off
end

local function has(list, value)
  for _, v in ipairs(list) do
    if v == value then
      return true
    end
  end
  return false
end

-- lasting returns a rule of a pack as it is while its pack is off: it only asks, and about less.
local function lasting(rule)
  local test, always = rule.test, rule.always
  if always ~= true then
    test = function(subject, scene)
      return always(subject, scene) and rule.test(subject, scene)
    end
  end
  return setmetatable({ asks = true, decision = "ask", test = test }, { __index = rule })
end

local book = {}
book.__index = book

local NONE = {}

-- open returns the book of the rules that are on.
function rulebook.open(settings)
  local self = setmetatable({ settings = settings, off = disabled(settings.disable), files = {}, found = {}, misses = 0 }, book)
  self.names, self.words = names(settings.packs), {}
  local packs = #settings.packs > 0 and require("index_more").packs
  local strict = settings.strict and require("index_more").strict
  for _, name in ipairs(self.names) do
    local words = index.core[name] or packs[name]
    self.words[name] = strict and words .. strict[name] or words
  end
  self.lasting = {}
  for name, words in pairs(index.always) do
    if not self.words[name] then
      self.lasting[name] = words
    end
  end
  local tags = {}
  for _, words in pairs(self.words) do
    tags[#tags + 1] = words
  end
  for _, words in pairs(self.lasting) do
    tags[#tags + 1] = words
  end
  local marks = settings.protect_paths[1] and marked.all or marked.marks
  self.index = rules.index(tags, { readers = readers.names, starts = readers.starts, marks = marks, joins = marked.joins }, marked.files)
  self.remote = has(settings.packs, "remote")
  self.allows = #settings.allow > 0
  self.reading = self:indexed("on:reading")
  return self
end

-- indexed reports whether any rule is found by a tag.
function book:indexed(tag)
  for _, name in ipairs(self.names) do
    if self.words[name]:find(" " .. tag .. " ", 1, true) then
      return true
    end
  end
  return false
end

function book:load(name)
  local file = self.files[name]
  if not file then
    file = read(name)
    self.files[name] = file
  end
  return file
end

-- parts lists the files with rules that are found by a tag, in their order, as {name, own, lasts}. Their rules are read
-- when somebody asks: where a call is denied, it is only those of class self (own).
function book:parts(tag)
  local found = self.found[tag]
  if found then
    return found
  end
  found = NONE
  if #tag <= 40 and self.misses < 1000 then -- the caller chooses the names of programs, so the number is bounded
    self.found[tag], self.misses = found, self.misses + 1
  end
  local function add(name, lasts)
    if found == NONE then
      found = {}
      self.found[tag] = found
    end
    found[#found + 1] = { name = name, tag = tag, own = rulebook.own[name], lasts = lasts }
  end
  for _, name in ipairs(self.names) do
    if self.words[name]:find(" " .. tag .. " ", 1, true) then
      add(name)
    end
  end
  for name, words in pairs(self.lasting) do
    if words:find(" " .. tag .. " ", 1, true) then
      add(name, true)
    end
  end
  return found
end

-- rules lists the rules of a part that are on.
function book:rules(part)
  if part.rules then
    return part.rules
  end
  local rules = {}
  for _, rule in ipairs(self:load(part.name).rules) do
    if self.off[rule.id] then
      -- the user doesn't want it
    elseif part.lasts then
      if rule.always and has(rulebook.tags(rule, rule.always_for), part.tag) then
        rules[#rules + 1] = lasting(rule)
      end
    elseif (rule.level ~= "strict" or self.settings.strict) and has(rulebook.tags(rule), part.tag) then
      rules[#rules + 1] = rule
    end
  end
  part.rules = rules
  return rules
end

-- groups returns the rules on files of a part, as {gate, rules}: rules with the same gate are together.
function book:groups(part)
  if part.groups then
    return part.groups
  end
  local groups, of = {}, {}
  for _, rule in ipairs(self:rules(part)) do
    local gate = rule.gate or groups
    if not of[gate] then
      of[gate] = { gate = rule.gate, rules = {} }
      groups[#groups + 1] = of[gate]
    end
    table.insert(of[gate].rules, rule)
  end
  part.groups = groups
  return groups
end

return rulebook
