-- The options of safety-guard: checked, with what they stand for.

local options = {}

local LEVELS = { "standard", "strict", "audit" }
local NAMES = { "level", "packs", "allow", "disable", "allow_paths", "protect_paths", "worktrees" }

options.packs = { "containers", "kubernetes", "terraform", "cloud", "databases", "publishing", "remote", "secrets", "forges", "services", "git" }

-- How many letters must change to make one word of the other.
local function distance(a, b)
  local row = {}
  for j = 0, #b do
    row[j] = j
  end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local above = row[j]
      local changed = a:sub(i, i) == b:sub(j, j) and 0 or 1
      row[j] = math.min(above + 1, row[j - 1] + 1, diagonal + changed)
      diagonal = above
    end
  end
  return row[#b]
end

-- did_you_mean is the end of an error message about an unknown name.
function options.did_you_mean(name, known)
  local best, least
  for _, candidate in ipairs(known) do
    local d = distance(name:lower():sub(1, 60), candidate)
    if not least or d < least then
      best, least = candidate, d
    end
  end
  if least and least <= math.max(2, math.floor(#name / 3)) then
    return (", did you mean %q?"):format(best)
  end
  return ("; it has: %s"):format(table.concat(known, ", "))
end

local function fail(format, ...)
  error("safety-guard: " .. format:format(...), 0)
end

local function contains(list, value)
  for _, v in ipairs(list) do
    if v == value then
      return true
    end
  end
  return false
end

-- A list of texts; one text stands for a list of one.
local function texts(with, name)
  local value = with[name]
  if value == nil then
    return {}
  elseif type(value) == "string" then
    value = { value }
  elseif type(value) ~= "table" then
    fail("%s is a list of texts, got %s", name, type(value))
  end
  for i, v in ipairs(value) do
    if type(v) ~= "string" or text.trim(v) == "" then
      fail("%s: entry %d is not a text", name, i)
    end
  end
  local n = 0
  for _ in pairs(value) do
    n = n + 1
  end
  if n ~= #value then
    fail("%s is a list of texts, got a table with names", name)
  end
  return value
end

local function read_packs(with)
  local names = texts(with, "packs")
  if contains(names, "all") then
    names = options.packs
  end
  for _, name in ipairs(names) do
    if not contains(options.packs, name) then
      fail("no pack %q%s", name, options.did_you_mean(name, options.packs))
    end
  end
  return names
end

-- An entry of allow is one command, whose words may be patterns; a last word * stands
-- for whatever follows.
local function read_allow(with)
  local allowed = {}
  for _, entry in ipairs(texts(with, "allow")) do
    local line = shell.parse(entry)
    local cmd = line.commands[1]
    if line.error or #line.commands ~= 1 or not cmd.name or cmd.dynamic then
      fail("allow: %q is not one command with a known name; write it as you would type it, with * for what may vary", entry)
    elseif #cmd.redirects > 0 then
      fail("allow: %q has a redirection, which isn't part of a command; leave it out", entry)
    end
    allowed[#allowed + 1] = { name = cmd.name, args = cmd.args }
  end
  return allowed
end

local function read_paths(with, name)
  local list = {}
  for _, entry in ipairs(texts(with, name)) do
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

-- read checks the options of an entry of hooks.yaml. The names in disable are checked
-- by the rulebook, which knows the rules.
function options.read(with)
  for name in pairs(with) do
    if not contains(NAMES, name) then
      fail("no option %q%s", tostring(name), options.did_you_mean(tostring(name), NAMES))
    end
  end
  local level = with.level or "standard"
  if not contains(LEVELS, level) then
    fail("no level %q%s", tostring(level), options.did_you_mean(tostring(level), LEVELS))
  end
  if with.worktrees ~= nil and with.worktrees ~= "relaxed" and with.worktrees ~= "guarded" then
    fail("worktrees is relaxed or guarded, got %q", tostring(with.worktrees))
  end
  return {
    level = level,
    strict = level == "strict",
    packs = read_packs(with),
    allow = read_allow(with),
    disable = texts(with, "disable"),
    allow_paths = read_paths(with, "allow_paths"),
    protect_paths = read_paths(with, "protect_paths"),
    relaxed = with.worktrees == "relaxed",
  }
end

return options
