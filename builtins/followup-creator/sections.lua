-- Headings and labels that announce a list of open work: "## Remaining work", "Next steps:", "Follow-up: add a
-- retry".

local LONGEST = 100 -- bytes of a label

local sections = { longest = LONGEST }

-- Every label contains one of these.
sections.cues = {
  "todo", "to do", "to-do", "follow-up", "follow up", "followup", "remain", "outstanding", "open items", "open points", "open tasks",
  "next step", "future work", "deferred", "left for", "left to do", "what's left", "what’s left", "what is left", "what's missing", "what’s missing",
  "not done", "not yet", "not implemented", "not included", "still ", "out of scope", "unfinished", "pending", "skipped for now", "known gaps", "for later", "what's not", "what’s not", "what is not",
}

local TODO = [[to-?dos?(?: list| items?)?|to do(?: list)?]]
local OPEN = [[follow[- ]?ups?(?: work| items?| tasks?| prs?| issues?| steps?)?|(?:the )?remaining(?: work| items?| tasks?| steps?| issues?| todos?| gaps?)?|outstanding(?: work| items?| tasks?| issues?)?|open (?:items|points|tasks)|future work|deferred(?: work| items?)?|left for later|(?:still )?left to do|what(?:'|’)?s (?:still )?(?:left|missing|open)(?: to do)?|what (?:is|remains)(?: left| missing| open)?|what(?:'s|’s| is) not (?:yet )?(?:included|done|covered|implemented|tested)(?: yet)?|(?:things? )?not (?:yet )?(?:done|implemented|included|covered|finished|tested)(?: yet)?|still (?:to do|to be done|open|missing|needed|outstanding|pending)|out of scope(?: for now)?|unfinished(?: work| items?| business)?|pending(?: work| items?| tasks?)?|skipped for now|known gaps|for later]]
local NEXT = [[(?:the )?next steps?]]

local function whole(names)
  return [[(?is)^\W*(?:\d+[.)]\s+)?(?:(?:here(?:'s| is| are)|these are|this is) )?(?:]] .. names .. [[)(?:\s*\(([^()]*)\))?\s*(:?)\s*$]]
end

-- A label up to its colon, with text after it.
local function name(names)
  return [[(?is)^\W*(?:]] .. names .. [[)(?:\s*\([^()]*\))?:$]]
end

local KINDS = {
  { kind = "todo", whole = whole(TODO), name = name([[to[- ]dos?]]) },
  { kind = "prose", whole = whole(OPEN), name = name(OPEN) },
  { kind = "prose", chores = true, whole = whole(NEXT), name = name(NEXT) },
}

-- Notes after a label that change its meaning.
local OTHERWISE = [[(?i)\b(?:done|completed?|resolved|fixed|finished|optional|you|your|user|users|suggest\w*|none)\b]]

-- label returns what a block announces: {kind, chores, rest}; rest is the text after its colon, chores is true
-- if the list may be of things that the user can do next. nil if the words are no label; a heading needs no
-- colon.
function sections.label(words, heading)
  local at = words:find(":", 1, true)
  if #words > LONGEST and not (at and at < LONGEST) then
    return nil
  end
  for _, known in ipairs(KINDS) do
    local all, note, colon
    if #words <= LONGEST then
      all, note, colon = re.find(words, known.whole)
    end
    if all and (heading or colon == ":" or words:find("^%u")) then
      if note and re.match(note, OTHERWISE) then
        return nil
      end
      return { kind = known.kind, chores = known.chores }
    end
    local named = at and at < #words and re.match(words:sub(1, at), known.name)
    if named then
      return { kind = known.kind, chores = known.chores, rest = text.trim(words:sub(at + 1)) }
    end
  end
end

-- What a user is told to do after the agent's work.
local CHORES = [[(?i)^\W*(?:\d+[.)]\s+)?(?:please |then |simply |just )?(?:re-?run|run|restart|reload|install|reinstall|open|visit|browse|try|review|pull|export|log in|log out|sign in|sign up|launch|start|stop|copy|paste|navigate|go to|click|press|execute|use|watch|enjoy|deploy|commit|push|merge|approve|tell me|let me)\b]]
local FOR_USER = [[(?i)\b(?:you|your|yourself|you're|you'll)\b|^\W*(?:optional(?:ly)?|consider|please|feel free|let me know)\b]]

-- is_for_user reports whether the user is to do an item; with chores also if it is something that a user does
-- with finished work.
function sections.is_for_user(words, chores)
  return re.match(words, FOR_USER) or (chores and re.match(words, CHORES)) or false
end

return sections
