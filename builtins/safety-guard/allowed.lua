-- The commands that the user allows, word by word. A pattern covers a word if it covers all that the word may be when
-- the command runs.

local allowed = {}

local EXPORTS = { export = true, declare = true, typeset = true, readonly = true, set = true, setenv = true, setx = true }

-- A class that means the same to everybody.
local CLASS = patterns.later([[^\[[!^]?[\w.@%+]+(-[\w.@%+]+)*\]$]])

local function class_of(text)
  if not CLASS:match(text) then
    return nil
  end
  for from, to in text:gmatch("(.)%-(.)") do
    if from > to then
      return nil
    end
  end
  return (text:gsub("^%[!", "[^"))
end

-- The pattern of a word: * stands for any text without a slash, ** for any text, ? for a character. Of what is pushed
-- none stands for a colon, behind which another branch has its name.
local function pattern_of(word, pushes)
  local any = pushes and "[^/:]" or "[^/]"
  local parts, at = { "^" }, 1
  while at <= #word do
    local rest = word:sub(at)
    local class = rest:match("^%[[^/%]]+%]")
    if rest:sub(1, 2) == "**" then
      parts[#parts + 1], at = pushes and "[^:]*" or ".*", at + 2
    elseif rest:sub(1, 1) == "*" then
      local whole = (#rest == 1 or rest:sub(2, 2) == "/") and (at == 1 or word:sub(at - 1, at - 1) == "/") -- a name isn't empty
      parts[#parts + 1], at = any .. (whole and "+" or "*"), at + 1
    elseif rest:sub(1, 1) == "?" then
      parts[#parts + 1], at = any, at + 1
    elseif class and class_of(class) then
      parts[#parts + 1], at = class_of(class), at + #class
    else
      local plain = rest:match("^[^*?%[]+") or "["
      parts[#parts + 1], at = re.quote(plain), at + #plain
    end
  end
  return re.compile(table.concat(parts) .. "$")
end

-- What a command and those that run it find set for them, by name; false for what isn't known.
local function env_of(cmd)
  local env = {}
  while cmd do
    for _, set in ipairs(cmd.assignments) do
      if env[set.name] == nil then
        env[set.name] = not (set.dynamic or set.append) and set.value
      end
    end
    cmd = cmd.parent
  end
  return env
end

-- Whether a command names files or folders, and all of them from the root or from the home folder.
local function is_absolute(cmd)
  local some = false
  for _, word in ipairs(cmd.words) do
    some = some or word.home or path.is_abs(word.text)
  end
  for _, file in ipairs(cmd:files()) do
    if not (file.home or path.is_abs(file.path)) then
      return false
    end
  end
  return some
end

-- entries makes the entries of a line, one for each command: of what a command runs another one is a part. Their words
-- may be patterns; a last word * stands for any further words.
function allowed.entries(commands)
  local list, of = {}, {}
  for i, cmd in ipairs(commands) do
    local pushes = cmd.git and cmd.git.subcommand == "push"
    local words = {}
    for j, word in ipairs(cmd.args) do
      words[j] = { text = word, pushed = pushes, pattern = word:find("[*?%[]") and pattern_of(word:gsub("^%./+", ""), pushes) or nil }
    end
    list[i] = { name = cmd.name, words = words, env = env_of(cmd), anywhere = is_absolute(cmd), parent = of[cmd.parent] }
    of[cmd] = list[i]
  end
  return list
end

-- What a * of a word stands for is a text that no ? of a pattern covers.
local UNKNOWN = ("\1"):rep(100)

local function covers(want, word)
  local text = word.text
  if word.dynamic or text:find("%z") or text:find("\1", 1, true) then
    return false
  elseif want.text == text then
    return true
  elseif text:sub(1, 1) == "-" and want.text:sub(1, 1) ~= "-" then
    return false -- an option
  end
  if text:find("//", 1, true) and not text:find("://", 1, true) or text:find("./", 1, true) == 1 then
    text = path.clean(text)
  end
  if want.text == text or path.clean(want.text) == text then
    return true
  end
  local up = want.text:match("^[./]*/") or ""
  local rest = text:sub(1, #up) == up and text:sub(#up + 1) or text
  if not want.pattern or want.pushed and word.glob or ("/" .. rest .. "/"):find("/../", 1, true) or word.glob and text:find("[%[(]") then
    return false
  elseif word.glob then
    text = text:gsub("%*", UNKNOWN):gsub("%?", "\1")
  end
  return want.pattern:match(text)
end

local function fits(entry, words)
  for i, want in ipairs(entry.words) do
    if want.text == "*" and i == #entry.words then
      return true
    elseif not words[i] or not covers(want, words[i]) then
      return false
    end
  end
  return #words == #entry.words
end

-- The variables that a line sets for the commands behind: those that it exports, and those in capitals, which may have
-- been exported before.
local function exported_by(commands)
  local env = {}
  for _, cmd in ipairs(commands) do
    if EXPORTS[cmd.name] then
      for _, word in ipairs(cmd.words) do
        local name, value = word.text:match("^([%a_][%w_]*)=(.*)$")
        if name then
          env[name] = env[name] == nil and not word.dynamic and value
        end
      end
    elseif not cmd.name then
      for _, set in ipairs(cmd.assignments) do
        if set.name:find("^%u") then
          env[set.name] = env[set.name] == nil and not (set.dynamic or set.append) and set.value
        end
      end
    end
  end
  return env
end

-- Whether a command finds set what an entry says, and nothing else: DOCKER_HOST says whose containers are meant.
local function finds_set(entry, cmd, scene)
  local env = env_of(cmd)
  for name, value in pairs(scene:once("exported", exported_by)) do
    if env[name] == nil then
      env[name] = value
    end
  end
  for name, value in pairs(env) do
    if entry.env[name] ~= value then
      return false
    end
  end
  for name in pairs(entry.env) do
    if env[name] == nil then
      return false
    end
  end
  return true
end

-- Whether a command runs in the project, where entries with relative paths hold, or where nothing of worth is.
local function is_here(cmd, scene)
  local dir = cmd.dir
  if not dir then
    return false
  elseif path.is_abs(dir) and path.inside(scene:root(), dir) then
    return true
  end
  local place = scene:where({ path = dir })
  return place == "inside" or place == "temp" or place == "allowed" or dir == (scene.cwd or ".")
end

local function covers_command(entry, cmd)
  if entry.name ~= cmd.name or not fits(entry, cmd.words) then
    return false
  elseif not entry.parent then
    return not cmd.remote
  end
  return cmd.parent ~= nil and covers_command(entry.parent, cmd.parent)
end

-- has reports whether one of the entries allows a command: its words, what is set for it, and the machine and the
-- folder where it runs.
function allowed.has(entries, cmd, scene)
  for _, entry in ipairs(entries) do
    if covers_command(entry, cmd) and finds_set(entry, cmd, scene) and (cmd.remote or entry.anywhere or is_here(cmd, scene)) then
      return true
    end
  end
  return false
end

return allowed
