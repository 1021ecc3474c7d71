-- TODO and the like: finds the sentences where such a marker is meant, and their text.

local context = require("circumstance")
local sections = require("sections")

local MOST = 20 -- todos of a sentence

local markers = {}
markers.__index = markers

-- These words after a marker without a colon show that the text is about markers, or about something of that
-- name.
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
    -- "... TODO(kim): text": the text before and after the marker
    marked = [[(?s)^(|.*?[\s(\[{>|,;:]|.*?(?://|/\*|--|#|@|<!))]] .. any .. "s?" .. owner .. [[\s?(?::|\s[-–—]\s|–|—)(.*)$]],
    -- "Todo: text" as the first word
    labelled = "(?is)^" .. any .. "s?" .. owner .. [[(?::|\s[-–—]\s)(.*)$]],
    -- "TODO text" as the first word
    bare = [[(?s)^(?://+|#+|/\*+|--|;+|@)?\s*]] .. any .. [[(?:\([^()]*\))?\s+(\w.*)$]],
    -- "I left a TODO for this"
    left = [[(?is)^(.*?)\b((?:left|leave|leaving|added|adding|put|placed)\b[^.]*?\b]] .. any ..
      [[s?(?: (?:comments?|notes?|markers?))?)(?:$|[\s]*[.,;:)]|\s(?:in|for|to|at|about|on|where|there|so|that|as|until|because|regarding)\b)]],
    remaining = [[(?is)^(.*?)\b((?:remaining|outstanding|open) ]] .. any .. [[s?)(?:$|[.,;:)]|\s(?:in|for|to|at|about|on|is|are)\b)]],
    only = [[(?s)^\W*]] .. any .. "s?" .. owner .. [[\s?:\s*$]],
    any = [[\b]] .. any .. [[s?\b]],
  }, markers)
end

-- status returns the text of a table's row whose last cell is a marker.
function markers:status(words)
  local _, task = re.find(words, "(?s)^(.+): " .. self.any .. [[\W*$]])
  return task
end

-- mentions reports whether the words contain a marker.
function markers:mentions(words)
  return re.match(words, self.any)
end

-- What grep writes before a line that it has found.
local PLACE = [=[^\s*[\w./\\-]+:\d+[:\s]]=]

-- own returns the text of a todo (its line, and the next ones if they continue it) and the text after it. If its
-- line is empty, the next one is the text.
local function own(words)
  local _, from = words:find("^%s*\n%s*")
  if from then
    words, from = re.replace(words:sub(from + 1), [[^(?://+|/\*+|\*|--|#+|;+)\s+]], ""), 1
  end
  from = 1
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

-- next_todo returns the text of the first todo in the words, whether it counts, and the text after it; nil if
-- there is none.
function markers:next_todo(words, asked)
  local _, before, behind = re.find(words, self.marked)
  if not before then
    return nil
  end
  local todo, rest = own(behind)
  local below = behind:find("^%s*\n")
  local _, to = re.find(todo, self.marked)
  if to then
    todo, rest = to, behind:sub(#to + 1)
  end
  todo, before = text.trim(re.replace(todo, [[(?://|/\*|--|#|@|<!)$]], "")), last_line(before)
  local excused = re.match(before, [[\w]]) and (asked or context.excuses(before))
  if below and not excused and todo ~= "" then
    return todo, markers.is_open(todo), rest, true
  end
  return todo, not excused and not context.over(todo), rest
end

-- Words that describe a state, or address the reader.
local SAYS = [[(?i)^\W*(?:(?:the|an?|this|that|these|those|it|there|here|all|every\w*|each|none|nothing|no|both|most|some|any|also|now|currently|our|its|my|your)|(?:i|we|you|they|he|she)(?:'\w+)?|in|on|at|with|for|from|as|if|when|let me|please|see|feel free)\b]]
local DESCRIBES = [[(?i)\b(?:is|are|was|were|be|has|have|had|shows?|lists?|contains?|works?)\b]]
local HAVE_DONE = [[(?i)^\W*(?:I|we)(?:'ve| have|'m| am)?\b|^\W*(?:all|everything|nothing|none)\b|\b(?:in place|as (?:planned|expected)|(?:is|are)(?: now)? (?:empty|clear|gone))\W*$]]

-- is_open reports whether the words below a marker describe open work. imperative: only if they tell to do
-- something, because nothing else shows that they are meant.
function markers.is_open(words, imperative)
  return not context.asks(words) and not context.over(words) and not re.match(words, HAVE_DONE) and not sections.is_for_user(words, imperative)
    and not (imperative and (re.match(words, SAYS) or re.match(words, DESCRIBES)))
end

-- items returns the lines below a marker that each are something to do. strict: the first one must tell to do
-- it, as the others must.
function markers.items(words, strict)
  local list, rest = {}, words
  while #list < MOST do
    local item
    item, rest = own(rest)
    item = text.trim(item)
    if item == "" or item:find("[.!?:]%s") or not markers.is_open(item, strict or #list > 0) then
      break
    end
    list[#list + 1] = item
    if rest == "" or item:find("[.!?]$") then
      break
    end
  end
  return list, rest
end

-- find returns the texts of the todos in a sentence, "" for one that only announces a list; nil if there is
-- none. first: the sentence begins a block.
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
  local todo, counts, rest, below = self:next_todo(said, asked)
  if not todo then
    return self:without_colon(said, first)
  end
  for _ = 1, MOST do
    if not todo then
      break
    elseif counts then
      todos[#todos + 1] = todo
      if below and rest ~= "" and not todo:find("[.!?]$") and not self:mentions(rest) then
        for _, item in ipairs(markers.items("\n" .. rest, true)) do
          todos[#todos + 1] = item
        end
      end
    end
    todo, counts, rest, below = self:next_todo(rest, asked)
  end
  return #todos > 0 and todos or nil
end

-- alone reports whether the words are just a marker.
function markers:alone(words)
  return re.match(words, self.only)
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
