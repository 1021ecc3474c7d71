-- TODO and its like: where a sentence has one that means it, and what it says.

local context = require("circumstance")

local MOST = 20 -- todos of a sentence

local markers = {}
markers.__index = markers

-- Behind a marker without a colon these words speak of markers, or of something else that
-- has the name.
local ABOUT = [[(?i)^(?:lists?|items?|apps?|application|comments?|markers?|entr(?:y|ies)|notes?|tags?|files?|trackers?|pages?|sections?|support|boards?|apis?|components?|is|are|was|were|has|had|have|can|cannot|will|in|on|at|from|of|above|below|and|or|s)\b]]

function markers.new(words)
  local quoted, cues = {}, {}
  for i, word in ipairs(words) do
    quoted[i] = re.quote(word)
    cues[i] = word:lower()
  end
  local any = "(?:" .. table.concat(quoted, "|") .. ")"
  local owner = [=[(?:\s?\([^()]*\)|\s?\[[^\[\]]*\])?]=]
  return setmetatable({
    cues = cues,
    -- "... TODO(kim): text": what is before, and what is behind
    marked = [[(?s)^(|.*?[\s(\[{>|,;:]|.*?(?://|/\*|--|#|@|<!))]] .. any .. "s?" .. owner .. [[\s?(?::|\s[-–—]\s|–|—)(.*)$]],
    -- "Todo: text" as the first word
    labelled = "(?is)^" .. any .. "s?" .. owner .. [[(?::|\s[-–—]\s)(.*)$]],
    -- "TODO text" as the first word
    bare = [[(?s)^(?://+|#+|/\*+|--|;+|@)?\s*]] .. any .. [[(?:\([^()]*\))?\s+(\w.*)$]],
    -- "I left a TODO for this"
    left = [[(?is)^(.*?)\b((?:left|leave|leaving|added|adding|put|placed)\b[^.]*?\b]] .. any ..
      [[s?(?: (?:comments?|notes?|markers?))?)(?:$|[\s]*[.,;:)]|\s(?:in|for|to|at|about|on|where|there|so|that|as|until|because|regarding)\b)]],
    remaining = [[(?is)^(.*?)\b((?:remaining|outstanding|open) ]] .. any .. [[s?)(?:$|[.,;:)]|\s(?:in|for|to|at|about|on|is|are)\b)]],
    any = [[\b]] .. any .. [[s?\b]],
  }, markers)
end

-- status gives what a row of a table names, where its last cell is a marker.
function markers:status(words)
  local _, task = re.find(words, "(?s)^(.+): " .. self.any .. [[\W*$]])
  return task
end

-- mentions tells whether a marker stands anywhere in the words.
function markers:mentions(words)
  return re.match(words, self.any)
end

-- What grep writes before a line that it has found.
local PLACE = [=[^\s*[\w./\\-]+:\d+[:\s]]=]

-- own is the text of a todo: its line, and the next ones where they go on with it.
local function own(words)
  local from = 1
  while true do
    local at = words:find("\n", from, true)
    if not at then
      return words, ""
    elseif not words:find("^%s*%l", at + 1) or re.match(words:sub(at + 1, at + 200), PLACE) then
      return words:sub(1, at - 1), words:sub(at + 1)
    end
    from = at + 1
  end
end

local function last_line(words)
  return words:match("([^\n]*)$")
end

-- next_todo gives the text of the first todo in the words, whether it counts, and what
-- stands behind it; nil where there is none.
function markers:next_todo(words, asked)
  local _, before, behind = re.find(words, self.marked)
  if not before then
    return nil
  end
  local todo, rest = own(behind)
  local _, to = re.find(todo, self.marked)
  if to then
    todo, rest = to, behind:sub(#to + 1)
  end
  todo, before = text.trim(re.replace(todo, [[(?://|/\*|--|#|@|<!)$]], "")), last_line(before)
  local excused = re.match(before, [[\w]]) and (asked or context.excuses(before))
  return todo, not excused and not context.over(todo), rest
end

-- find gives the texts of the todos in a sentence: "" where one only announces a list; nil
-- where there is none. first: the sentence begins a block.
function markers:find(said, first)
  if not self:mentions(said) then
    if not first then
      return nil
    end
    local _, behind = re.find(said, self.labelled)
    local todo = behind and own(behind)
    return todo and not context.over(todo) and { text.trim(todo) } or nil
  end
  local todos, asked = {}, context.asks(said)
  local todo, counts, rest = self:next_todo(said, asked)
  if not todo then
    return self:without_colon(said, first)
  end
  for _ = 1, MOST do
    if not todo then
      break
    elseif counts then
      todos[#todos + 1] = todo
    end
    todo, counts, rest = self:next_todo(rest, asked)
  end
  return #todos > 0 and todos or nil
end

function markers:without_colon(said, first)
  local words
  if first then
    local _, found = re.find(said, self.bare)
    words = found
  end
  if words and not re.match(words, ABOUT) and not context.asks(said) and not context.over(words) then
    return { (own(words)) }
  end
  local _, before, phrase = re.find(said, self.left)
  if not phrase then
    _, before, phrase = re.find(said, self.remaining)
  end
  if phrase and not context.excuses(before) and not context.denies(phrase) and not context.asks(said) and not context.over(said) then
    return { said }
  end
  return nil
end

return markers
