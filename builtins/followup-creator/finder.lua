-- Goes through an answer and gathers the follow-ups.
--
-- Most lines of most answers contain none. So the text is searched for cues, short texts one of which is in
-- every follow-up, and only the blocks around those are read.

local layout = require("layout")
local markers = require("markers")
local phrases = require("phrases")
local sections = require("sections")
local wording = require("wording")

local MOST_BYTES = 96 * 1024 -- of an answer
local MOST_HITS = 1000        -- lines that are examined for one cue
local MOST_FENCES = 10000
local MOST_BLOCKS = 1000
local MOST_TEXT = 300         -- bytes of a follow-up's text

local BOXES = { "[ ]", "☐", "⬜" }
local FENCES = { "```", "~~~" }

local finder = {}
finder.__index = finder

function finder.new(settings)
  local self = setmetatable({ settings = settings, kinds = {}, cues = {}, labels = {} }, finder)
  for _, kind in ipairs(settings.kinds) do
    self.kinds[kind] = true
  end
  self.markers = markers.new(settings.markers)
  self.phrases = phrases.new(settings.phrases)
  local known = {}
  local function cues(list, into)
    for _, cue in ipairs(list) do
      if not known[cue] then
        known[cue] = true
        into[#into + 1] = cue
      end
    end
  end
  if self.kinds.todo then
    cues(self.markers.cues, self.cues)
  end
  if self.kinds.checklist then
    cues(BOXES, self.cues)
  end
  if self.kinds.prose then
    cues(self.phrases.cues, self.cues)
  end
  if self.kinds.todo or self.kinds.prose then
    cues(sections.cues, self.labels)
  end
  return self
end

-- latest returns the end of an answer, beginning with a whole line if possible, and whether something was left
-- out.
local function latest(s)
  if #s <= MOST_BYTES then
    return s, false
  end
  local from = #s - MOST_BYTES + 1
  local line = s:find("\n", from, true)
  return s:sub(line and line + 1 or from), true
end

-- hits adds the places of a cue, at most one per line, and returns whether there are more than most. flat is the
-- text in lower case with blanks for its line ends, because a cue may contain a line break.
local function hits(list, s, flat, cue, most)
  local at, n = flat:find(cue, 1, true), 0
  while at do
    n = n + 1
    if n > most then
      return true
    end
    list[#list + 1] = at
    local line_end = s:find("\n", at, true)
    at = line_end and flat:find(cue, line_end, true)
  end
  return false
end

-- places returns the places of the cues, in order, and whether there are more; it adds the cues that occur to
-- there.
local function places(s, flat, cues, most, there)
  local list, more = {}, false
  for _, cue in ipairs(cues) do
    local before = #list
    more = hits(list, s, flat, cue, most) or more
    there[cue] = #list > before
  end
  table.sort(list)
  return list, more
end

-- short reports whether a line may begin with a label.
local function short(line)
  return #line <= sections.longest or line:find(":", 1, true)
end

-- candidates returns the numbers of the lines with a cue or a fence, nil if no line has a cue; whether there are
-- more than are examined; and the cues that occur.
function finder:candidates(s, lines)
  local there = {}
  local flat = table.concat(lines, " "):lower()
  local strong, more = places(s, flat, self.cues, MOST_HITS, there)
  local weak, more_labels = places(s, flat, self.labels, MOST_HITS, there)
  if #strong == 0 and #weak == 0 then
    return nil
  end
  local fences, more_fences = places(s, flat, FENCES, MOST_FENCES, there)
  local numbers, at, due = {}, 1, 0
  local next_strong, next_weak, next_fence = 1, 1, 1
  for i, line in ipairs(lines) do
    local line_end = at + #line
    if due <= line_end then
      local hit = false
      while strong[next_strong] and strong[next_strong] <= line_end do
        next_strong, hit = next_strong + 1, true
      end
      while fences[next_fence] and fences[next_fence] <= line_end do
        next_fence, hit = next_fence + 1, true
      end
      while weak[next_weak] and weak[next_weak] <= line_end do
        next_weak, hit = next_weak + 1, hit or short(line)
      end
      if hit then
        numbers[#numbers + 1] = i
      end
      due = math.min(strong[next_strong] or math.huge, fences[next_fence] or math.huge, weak[next_weak] or math.huge)
      if due == math.huge then
        break
      end
    end
    at = line_end + 1
  end
  return numbers, more or more_labels or more_fences, there
end

-- add records a follow-up, unless it is known already or is to be ignored.
function finder:add(found, kind, words, line)
  if not self.kinds[kind] then
    return
  end
  local source = wording.source(words)
  local said = text.truncate(redact.text(wording.tidy(words)), MOST_TEXT)
  local key = wording.key(said)
  if not key or found.keys[key] or wording.is_nothing(said) then
    return
  end
  for _, pattern in ipairs(self.settings.ignore) do
    if pattern:match(said) then
      return
    end
  end
  found.keys[key] = true
  if #found.items >= self.settings.max then
    found.more = found.more + 1
    return
  end
  found.items[#found.items + 1] = { kind = kind, text = said, key = key, line = not found.partial and line or nil, source = source }
end

-- labelled records the text after a label, as in "Remaining: the docs".
function finder:labelled(found, label, words, line)
  if not sections.is_for_user(label.rest, label.chores) and not wording.is_done(label.rest) then
    self:add(found, label.kind, words.restore(label.rest), line)
  end
end

-- sentence examines one sentence of a block; first: it begins the block. It returns the kind of list that the
-- sentence announces, if it ends with a colon.
function finder:sentence(found, block, said, first)
  if found.read[said.text] then
    return found.read[said.text].announces
  end
  local announces = self:judge(found, block, said, first)
  found.read[said.text] = { announces = announces }
  return announces
end

function finder:judge(found, block, said, first)
  if self.kinds.todo then
    local todos = self.markers:find(said.text, first)
    if todos then
      for _, todo in ipairs(todos) do
        if todo == "" then
          return "todo"
        end
        self:add(found, "todo", block.restore(todo), said.line)
      end
      return nil
    end
  end
  local label = not first and said.text:find(":", 1, true) and sections.label(said.text, false)
  if label and label.rest then
    self:labelled(found, label, block, said.line)
    return nil
  elseif label then
    return label.kind
  end
  if self.kinds.prose and phrases.match(found.rules, said.text) then
    if said.text:find(":%s*$") then
      return "prose"
    end
    self:add(found, "prose", block.restore(said.text), said.line)
  end
end

-- list records the items below a heading or a sentence that announces them, and returns the line after them. If
-- there is no list it uses the paragraph; strict: then the paragraph must tell to do something.
function finder:list(found, page, from, kind, chores, strict)
  local items, after = page:items(from)
  if #items == 0 and not chores then
    return self:below(found, page, from, kind, strict)
  end
  for _, item in ipairs(items) do
    local words = wording.hide(item.text)
    if not item.done and not wording.is_done(words.text) and not sections.is_for_user(words.text, chores) then
      local todos = not item.open and self.markers:find(words.text, true)
      if todos then
        for _, todo in ipairs(todos) do
          self:add(found, "todo", words.restore(todo), item.line)
        end
      else
        self:add(found, item.open and "checklist" or kind, words.restore(words.text), item.line)
      end
    end
  end
  return after
end

-- below records what the paragraph below a marker or a heading says first, or its lines if each is something to
-- do, and returns the line after it.
function finder:below(found, page, from, kind, strict)
  local joined, line, after = page:below(from)
  if not joined then
    return from
  end
  local words = wording.hide(joined)
  local said = wording.sentences(words.text, line)[1]
  if not said or self.markers:mentions(words.text) or not markers.is_open(said.text, strict) or said.text:find(":$") then
    return from
  end
  local items = said.text == words.text and markers.items("\n" .. said.text) or {}
  for _, item in ipairs(#items > 0 and items or { said.text }) do
    if not wording.is_nothing(item) then
      self:add(found, kind, words.restore(item), line)
    end
  end
  return after
end

-- block reads one block and returns the first line after it and what it announces.
function finder:block(found, page, block)
  local words = wording.hide(block.text)
  if block.open then
    if not wording.is_done(words.text) then
      self:add(found, "checklist", words.restore(words.text), block.line)
    end
    return block.after
  elseif block.done then
    return block.after
  end
  local row = block.row and self.markers:status(words.text)
  if row then
    self:add(found, "todo", words.restore(row), block.line)
    return block.after
  end
  local label = sections.label(words.text, block.heading)
  if label and label.rest then
    self:labelled(found, label, words, block.line)
    return block.after
  elseif label then
    local strict = label.kind ~= "todo" or not words.text:find(":%s*$")
    return self:list(found, page, block.after, label.kind, label.chores, strict)
  end
  if block.heading and not self.markers:mentions(words.text) then
    return block.after
  end
  local announced
  for i, said in ipairs(wording.sentences(words.text, block.line)) do
    announced = self:sentence(found, words, said, i == 1)
  end
  if announced then
    return self:list(found, page, block.after, announced, false, not self.markers:alone(words.text))
  end
  return block.after
end

-- find returns the follow-ups of an answer: items, each {kind, text, key, line, source}; more, how many there
-- are beyond the maximum; partial, whether a part was not examined.
function finder:find(answer)
  local found = { items = {}, keys = {}, read = {}, more = 0 }
  local s
  s, found.partial = latest(answer)
  if s:find("\r", 1, true) then
    s = s:gsub("\r\n?", "\n")
  end
  local lines = text.split(s, "\n")
  local numbers, too_many, cues = self:candidates(s, lines)
  if not numbers then
    return { items = {}, more = 0 }
  end
  found.rules = self.phrases:rules_of(cues)
  local page, read_to, blocks = layout.page(lines), 1, 0
  for _, number in ipairs(numbers) do
    if page:fence(number) or number < read_to then
      -- it is code, or was read together with the text before it
    elseif blocks == MOST_BLOCKS then
      too_many = true
      break
    else
      blocks = blocks + 1
      local block = page:block(number, read_to)
      read_to = block and self:block(found, page, block) or number + 1
    end
  end
  found.partial = (found.partial or too_many) and true or nil
  return found
end

return finder
