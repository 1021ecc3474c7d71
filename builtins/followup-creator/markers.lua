-- TODO and its like: where a sentence has one that means it, and what it says.

local context = require("circumstance")

local markers = {}
markers.__index = markers

-- Behind a marker without a colon these words speak of markers, or of something else that
-- has the name.
local ABOUT = [[(?i)^(?:lists?|items?|apps?|application|comments?|markers?|entr(?:y|ies)|notes?|tags?|files?|trackers?|pages?|sections?|support|boards?|apis?|components?|is|are|was|were|has|had|have|can|cannot|will|in|on|at|from|of|above|below|and|or|s)\b]]

-- Markers that stand for a task without a colon, too.
local PLAIN = { TODO = true, FIXME = true }

function markers.new(words)
  local quoted, plain, cues = {}, {}, {}
  for i, word in ipairs(words) do
    quoted[i] = re.quote(word)
    cues[i] = word:lower()
    if PLAIN[word] then
      plain[#plain + 1] = word
    end
  end
  local any = "(?:" .. table.concat(quoted, "|") .. ")"
  local owner = [=[(?:\s?\([^()]{0,60}\)|\s?\[[^\[\]]{0,60}\])?]=]
  return setmetatable({
    cues = cues,
    -- "... TODO(kim): text": what is before, and what is behind
    marked = [[(?s)^(|.*?[\s(\[{>|,;:]|.*?(?://|/\*|--|#|@|<!))]] .. any .. "s?" .. owner .. [[\s?(?::|\s[-–—]\s|–|—)(.*)$]],
    -- "Todo: text" as the first word
    labelled = "(?is)^" .. any .. "s?" .. owner .. ":(.*)$",
    -- "TODO text" as the first word
    bare = #plain > 0 and [[(?s)^(?://+|#+|/\*+|--|;+)?\s*(?:]] .. table.concat(plain, "|") .. [[)(?:\([^()]{0,60}\))?\s+(\w.*)$]],
    -- "I left a TODO for this"
    left = [[(?is)^(.*?)\b((?:left|leave|leaving|added|adding|put|placed)\b[^.]{0,40}?\b]] .. any ..
      [[s?(?: (?:comments?|notes?|markers?))?)(?:$|[\s]*[.,;:)]|\s(?:in|for|to|at|about|on|where|there|so|that|as|until|because|regarding)\b)]],
    any = [[\b]] .. any .. [[s?\b]],
  }, markers)
end

-- mentions tells whether a marker stands anywhere in the words.
function markers:mentions(words)
  return re.match(words, self.any)
end

-- own is the text of a todo: its line, and the next ones where they go on with it.
local function own(words)
  local from = 1
  while true do
    local at = words:find("\n", from, true)
    if not at then
      return words, ""
    elseif not words:find("^%s*%l", at + 1) then
      return words:sub(1, at - 1), words:sub(at + 1)
    end
    from = at + 1
  end
end

local function last_line(words)
  return words:match("([^\n]*)$")
end

-- split adds the todos in the words behind a marker.
function markers:split(list, words)
  local line, rest = own(words)
  local before, more = re.find(line, self.marked)
  if before then
    before, more = select(2, re.find(line, self.marked))
    line, rest = before, more .. "\n" .. rest
    list[#list + 1] = text.trim(re.replace(line, [[(?://|/\*|--|#|@|<!)$]], ""))
    return self:split(list, rest)
  end
  list[#list + 1] = text.trim(line)
  return rest
end

-- find gives the texts of the todos in a sentence: "" where one only announces a list; nil
-- where there is none. first: the sentence begins a block.
function markers:find(said, first)
  if not self:mentions(said) and not (first and re.match(said, self.labelled)) then
    return nil
  end
  local _, before, behind = re.find(said, self.marked)
  if not before and first then
    _, behind = re.find(said, self.labelled)
    before = behind and ""
  end
  if not before then
    return self:without_colon(said, first)
  end
  before = last_line(before)
  if re.match(before, [[\w]]) and (context.excuses(before) or context.asks(said)) then
    return nil
  end
  local todos = {}
  self:split(todos, behind)
  local kept = {}
  for _, todo in ipairs(todos) do
    if not context.over(todo) then
      kept[#kept + 1] = todo
    end
  end
  return kept
end

function markers:without_colon(said, first)
  local words
  if first and self.bare then
    local _, found = re.find(said, self.bare)
    words = found
  end
  if words and not re.match(words, ABOUT) and not context.asks(said) and not context.over(words) then
    return { (own(words)) }
  end
  local _, before, phrase = re.find(said, self.left)
  if phrase and not context.excuses(before) and not context.denies(phrase) and not context.asks(said) and not context.over(said) then
    return { said }
  end
  return nil
end

return markers
