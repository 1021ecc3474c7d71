-- The commands that the user allows, word by word. A pattern covers a word if it covers all that the word may be when
-- the command runs.

local allowed = {}

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

-- entry makes an entry of a command whose words may be patterns; a last word * stands for any further words.
function allowed.entry(cmd)
  local pushes = cmd.git and cmd.git.subcommand == "push"
  local words = {}
  for i, word in ipairs(cmd.args) do
    words[i] = { text = word, pushed = pushes, pattern = word:find("[*?%[]") and pattern_of(word:gsub("^%./+", ""), pushes) or nil }
  end
  return { name = cmd.name, words = words }
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

-- has reports whether one of the entries allows a command.
function allowed.has(entries, cmd)
  for _, entry in ipairs(entries) do
    if entry.name == cmd.name and fits(entry, cmd.words) then
      return true
    end
  end
  return false
end

return allowed
