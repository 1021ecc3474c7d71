-- The configured commands, and where they occur in a command line.

local edits = require("edits")

local command = {}
command.__index = command

local function fail(format, ...)
  error("test-verifier: command: " .. format:format(...), 0)
end

-- Commands that may accompany the one that matters.
local BESIDE = { cd = true, pushd = true, set = true, export = true }

-- glob makes a regular expression of a text in which * stands for any text.
local function glob(word)
  local parts = {}
  for i, part in ipairs(text.split(word, "*")) do
    parts[i] = re.quote(part)
  end
  return re.compile("^(?s:" .. table.concat(parts, ".*") .. ")$")
end

local function is_option(word)
  return word:sub(1, 1) == "-" and word ~= "-" and word ~= "--"
end

-- words_of returns the words of a command; "npm run test" and "npm t" are "npm test".
local RUNNERS = { npm = true, pnpm = true, yarn = true }

local function words_of(name, args)
  local skip
  if RUNNERS[name] and (args[1] == "run" or args[1] == "run-script") and args[2] == "test" then
    skip = 2
  elseif name == "npm" and (args[1] == "t" or args[1] == "tst") then
    skip = 1
  else
    return args
  end
  local words = { "test" }
  for i = skip + 1, #args do
    words[#words + 1] = args[i]
  end
  return words
end

-- read reads a command from hooks.yaml:
--   text               as it is written
--   name, env, folder  folder: where it runs, relative to the root
--   operands           patterns of the words that aren't options, in order
--   options            patterns of its options
--   open               any words may follow
--   key                its key in the store
function command.read(entry)
  local line = shell.parse(entry, { cwd = "/" })
  local found, several, decides = nil, false, true
  for _, cmd in ipairs(line.commands) do
    if not cmd.parent and not BESIDE[cmd.name or ""] then
      found, several, decides = cmd, found ~= nil, decides and cmd.decides
    end
  end
  if line.error or line.too_complex or not found or not found.name or found.dynamic or not found.dir then
    fail("%q can't be read as one command whose words are known; write it as you would type it", entry)
  elseif not decides then
    fail("%q passes even if the command fails; leave out what hides its exit status (| without pipefail, ||, ;, &)", entry)
  elseif several then
    fail("%q is several commands; give a list with one each", entry)
  end
  local self = setmetatable({
    text = entry, name = found.name, path = found.path, args = found.args, env = found.env, folder = path.rel("/", found.dir), operands = {}, options = {}, open = false,
    plain = #line.commands == 1 and #found.redirects == 0, key = hash.sha256(entry):sub(1, 12),
  }, command)
  local words = words_of(found.name, found.args)
  for i, word in ipairs(words) do
    if word == "*" and i == #words then
      self.open = true
    elseif is_option(word) then
      self.options[#self.options + 1] = glob(word)
    elseif word ~= "--" then
      self.operands[#self.operands + 1] = glob(word)
    end
  end
  return self
end

-- Options of test runners that change the amount of output, the speed or when to stop, but not what is tested.
-- Options of single programs are below.
local HARMLESS = patterns.later([=[^(--verbose(=true)?|-q{1,2}|--quiet|-s|--silent|-ra|-rA|-race|-cover|-failfast|-json|--json|-x|--exitfirst|--bail(=\d+)?|--ci(=true)?|]=] ..
  [=[--colou?rs?(=.*)?|--no-colou?rs?|-count=[1-9]\d*|-timeout=\S+|-parallel=\d+|-p=\d+|-cpu=[\d,]+|-shuffle=\S+|-coverprofile=.*|-covermode=\S+|-coverpkg=.*|]=] ..
  [=[--tb=\S+|--durations=\d+|--disable-warnings|--strict-markers|--no-header|--no-summary|--cov(=.*)?|--cov-report=.*|--no-cov|--coverage(=.*)?|--maxfail=\d+|-n=?(auto|\d+)|]=] ..
  [=[-j\d*|--jobs=\d+|--workers=\d+|--maxWorkers=\S+|--runInBand|--forceExit|--detectOpenHandles|--watch=false|--watchAll=false|--no-watch|--run|--reporters?=.*|]=] ..
  [=[--no-fail-fast|--keep-going|--locked|--offline|--frozen|--release|--all-features|--workspace|--no-daemon|--console=\S+|--stacktrace|--progress(=.*)?|--no-progress|-B|--batch-mode|--?nologo)$]=])

-- Options whose value is a separate word, with the values that they may have.
local VALUED = {
  ["-count"] = [[^[1-9]\d*$]], ["-timeout"] = [[^\w+$]], ["-parallel"] = [[^\d+$]], ["-p"] = [[^\d+$]], ["-cpu"] = [[^[\d,]+$]], ["-shuffle"] = [[^(on|off|\d+)$]], ["-coverprofile"] = ".",
  ["-covermode"] = [[^(set|count|atomic)$]], ["-j"] = [[^\d+$]], ["--jobs"] = [[^\d+$]], ["-n"] = [[^(auto|\d+)$]], ["--tb"] = [[^(auto|long|short|line|native|no)$]], ["--maxfail"] = [[^\d+$]],
  ["--durations"] = [[^\d+$]], ["--workers"] = [[^\d+$]], ["--maxWorkers"] = [[^\d+%?$]], ["--color"] = [[^(always|never|auto|yes|no)$]], ["--reporter"] = [[^[\w:@/.-]+$]], ["--reporters"] = [[^[\w:@/.-]+$]],
}

-- Programs for which -v prints more, and not the version.
local VERBOSE = patterns.later([[^-v{1,4}$]])
local SAYS_MORE = { go = true, pytest = true, ["py.test"] = true, cargo = true, tox = true, phpunit = true, python = true, python3 = true, swift = true }

-- Options of programs that only start the tests.
local MAKE = patterns.later([[^(-s|--silent|--quiet|-j\d*|--jobs=\d+|-B|--always-make|-k|--keep-going|--no-print-directory|-O)$]])
local PACKAGES = patterns.later([[^(-s|--silent|--loglevel=\S+|--color=\S+)$]])
local OWN = { make = MAKE, gmake = MAKE, npm = PACKAGES, pnpm = PACKAGES }

local function matches_any(patterns, word)
  for i, pattern in ipairs(patterns) do
    if pattern:match(word) then
      return i
    end
  end
end

-- harmless returns how many words from at on don't change what is tested; 0 for none.
function command:harmless(args, at, behind, flags)
  local word = args[at]
  if matches_any(flags, word) then
    return 1
  end
  local own = not behind and OWN[self.name]
  if own and not own:match(word) then
    return 0
  elseif VALUED[word] and args[at + 1] and re.match(args[at + 1], VALUED[word]) then
    return 2
  elseif own then
    return 1
  end
  return (HARMLESS:match(word) or VERBOSE:match(word) and SAYS_MORE[self.name]) and 1 or 0
end

-- whole reports whether a command has exactly these words and harmless options.
function command:whole(args, flags)
  local wanted, next_operand, at, behind = {}, 1, 1, false
  for n, option in ipairs(self.options) do
    wanted[n] = option
  end
  while args[at] do
    local word = args[at]
    local option, operand = is_option(word) and matches_any(wanted, word), self.operands[next_operand]
    if option then
      table.remove(wanted, option)
      at = at + 1
    elseif operand and operand:match(word) then
      next_operand, at = next_operand + 1, at + 1
    elseif word == "--" then
      behind, at = true, at + 1
    elseif self.open and not operand then
      at = at + 1
    else
      local skip = self:harmless(args, at, behind, flags)
      if skip == 0 then
        return false
      end
      at = at + skip
    end
  end
  return next_operand > #self.operands and #wanted == 0
end

-- resembles reports whether a command is meant to be this one, though it may not be all of it: it has the same
-- name, and the same first word that isn't an option.
function command:resembles(cmd)
  if cmd.name ~= self.name then
    return false
  end
  local first = self.operands[1]
  if not first then
    return true
  end
  for _, word in ipairs(words_of(cmd.name, cmd.args)) do
    if first:match(word) then
      return true
    end
  end
  return false
end

-- where reports whether a command of a line runs where this one should.
function command:where(cmd, ev)
  if not host.root then
    return true
  elseif not cmd.dir then
    return false
  end
  local root, dir = edits.slashes(host.root), path.clean(edits.slashes(cmd.dir))
  local wanted = path.clean(path.join(root, self.folder))
  if dir == wanted then
    return true
  elseif host.worktree(dir) and not host.worktree(root) then
    return true -- a copy of the project to work in
  end
  -- The host may know the project by another name, for instance through a link.
  return ev.cwd ~= nil and path.is_abs(ev.cwd) and not path.inside(root, path.clean(edits.slashes(ev.cwd))) and not path.inside(root, dir) and path.base(dir) == path.base(wanted)
end

-- judge compares a command of a line with this one: nil if it is something else, "counts" if the line's outcome
-- is that of the command, else why it doesn't count: "other" words, "elsewhere", "hidden".
function command:judge(cmd, ev, flags)
  if not self:resembles(cmd) or cmd.remote then
    return nil
  end
  for name, value in pairs(self.env) do
    if cmd.env[name] ~= value then
      return "other"
    end
  end
  if cmd.dynamic or not self:whole(words_of(cmd.name, cmd.args), flags) then
    return "other"
  elseif not self:where(cmd, ev) then
    return "elsewhere"
  elseif not cmd.decides then
    return "hidden"
  end
  return "counts"
end

-- flags returns the patterns of the option with that name.
function command.flags(list)
  local patterns = {}
  for i, flag in ipairs(list) do
    patterns[i] = glob(flag)
  end
  return patterns
end

return command
