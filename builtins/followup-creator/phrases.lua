-- English phrases that say that work is left open. Each has cues, one of which is in every sentence that it
-- matches, and a pattern (RE2). now: it speaks of the present, so that a "was" before it moves it to the past.
-- people: it says who has to do something, who may be somebody else. positive: a negation in it reverses it.

local context = require("circumstance")

local phrases = {}
phrases.__index = phrases

-- Words for work that is done.
local DONE = [[(?:implemented|wired(?: (?:up|in|into))?|hooked(?: up| into)?|plugged in|connected|integrated|supported|handled|tested|covered|verified|validated|written|done|finished|complete|completed|migrated|ported|converted|translated|documented|addressed|resolved|fixed|filled in|fleshed out|cleaned up|updated|added|built|in place|ready|enabled|deployed|replaced|refactored|optimi[sz]ed|locali[sz]ed)]]
-- The same, where "it needs to be ..." says that it isn't done; without words for what a program does
-- repeatedly.
local TO_DO = [[(?:wired|hooked|plugged|implemented|finished|completed|filled in|fleshed out|addressed|written|rewritten|migrated|ported|documented|tested|verified|cleaned up|refactored|done|built|added|translated|replaced|removed|looked at|looked into|investigated|revisited|decided|sorted out|figured out)]]
local VERB = [[(?:handle|support|cover|work|validate|implement|include|check|parse|persist|save|test|document|exist|account for|deal with)]]
local NOUN = [[(?:tests?|work|docs|documentation|review|validation|error handling|coverage|fixing|testing|cleanup|cleaning up|polish|wiring|migration|follow-?up|attention|investigation|implementation|refactoring|verification|retries|logging|updat(?:e|es|ing)|fix(?:es)?|decisions?|changes?)]]
local LATER = [[(?:later|for (?:another|some other|a later|a future|a separate|a follow-?up|a subsequent|the next) \w+|for next \w+|for a follow-?up|(?:to|in|for|as|with) (?:(?:a|an|the|some) )?(?:(?:later|future|separate|subsequent|follow-?up|next) (?:prs?|pull requests?|change|commit|step|iteration|pass|release|task|ticket|issue|session|version|sprint|phase|patch)|future|follow-?up)|until later|as (?:a )?follow-?up|as future work|at some point|down the line|eventually|another day)\b]]
local SHORTCUT = [[(?:skip(?:ped|ping)?|stub(?:bed|bing)?(?: out)?|disabl(?:ed|e|ing)|comment(?:ed|ing)? out|hard-?cod(?:ed?|ing)|mock(?:ed|ing)?(?: out)?|ignor(?:ed?|ing)|omit(?:ted|ting)?|left out|leav(?:e|ing) out|fak(?:ed?|ing)|xfailed|not (?:handled|covered|implemented|supported|included|tested)|unimplemented|untested|unhandled)]]

-- Words in LATER, and in phrases for placeholders.
local LATER_CUES = {
  "later", "follow-up", "follow up", "followup", "for another", "for some other", "for a future", "for a separate", "for a subsequent", "for the next", "for next",
  "in a future", "in the future", "for a future", "with the next", "in a separate", "in a subsequent", "in the next", "to a future", "to a separate", "to a subsequent", "to the next", "future work",
  "at some point", "down the line", "eventually", "another day", "for now", "unfinished", "unimplemented", "untested",
  "as an open", "as open", "as a todo", "as todo", "undone",
}

local TABLE = {
  -- "still need to add tests"
  { cues = { "still" }, now = true, people = true, [[\bstill (?:(?:needs?|ha(?:s|ve)|want|intend|plan)(?: to|ing to)|must be)\b]] },
  { cues = { "still" }, now = true, [[\bstill (?:needs?|requires?|lacks?|misses|awaits?) (?:an? |the |some |more |proper |its |\w+ )?]] .. NOUN .. [[\b]] },
  { cues = { "still" }, now = true, [[\bstill (?:missing|failing|fails|crashes|breaks|leaks|hangs|(?:some |a lot of |more |much )?work (?:to do|left)|pending|outstanding|unimplemented|untested|incomplete|unfinished|unresolved|undocumented|unhandled|broken|todo|to be done|to do|open questions?|an open (?:task|point|item))\b]] },
  { cues = { "still" }, now = true, [[\bstill (?:a |an |only |just )+(?:stub|placeholder|mock|work in progress|draft|skeleton)\b]] },
  { cues = { "need to be", "have to be", "has to be" }, now = true, people = true, [[\b(?:will|'ll) (?:still |also |eventually |probably |likely )?(?:need|have) to be \w+]] },
  { cues = { "need to be", "needs to be", "have to be", "has to be", "ought to be" }, now = true, people = true, [[\b(?:needs?|ha(?:s|ve)|ought) to be (?:properly |fully )?]] .. TO_DO .. [[\b]] },
  { cues = { "needs work", "need work", "needs more", "need more", "needs further", "need further", "needs additional", "requires more", "requires further", "requires additional", "needs some", "needs test", "needs follow", "needs investigation", "needs cleanup", "needs a ", "needs proper" }, now = true, [[\b(?:needs?|requires?) (?:some |more |further |additional |a |proper )*(?:work|tests|follow-?up|investigation|cleanup|polish)\b]] },
  { cues = { "more work", "further work", "additional work", "some work" }, now = true, [[\b(?:more|further|additional|some) work (?:is|will be) (?:needed|required|necessary)\b]] },
  -- "left for later"
  { cues = LATER_CUES, positive = true, [[\b(?:left|leave|leaves|leaving)\b[^.;?!]*?\b(?:for (?:now|later)|]] .. LATER .. [[|(?:undone|unfinished|unimplemented|untested)\b|as (?:an? )?(?:todo|open)\b)]] },
  { cues = { "defer", "postpon", "punt", "parked", "put off", "putting off", "pushed to", "pushing" }, positive = true, [[\b(?:deferr?(?:ed|ing)?|postpon(?:ed?|ing)|punt(?:ed|ing)?|parked|put(?:ting)? off|pushed)\b[^.;?!]*?\b(?:for now|]] .. LATER .. [[)]] },
  { cues = { "defer", "postpon" }, [[\b(?:ha(?:s|ve) been|is|are|I|I've|we|we've) (?:deferred|postponed)\b]] },
  { cues = LATER_CUES,
    [[\b(?:(?:I|we)(?:'ll| will| shall| should| plan to| intend to| want to)(?: probably| also| really| still)?|should be|must be|ha(?:s|ve) to be|needs? to be|(?:will|can|to) be) (?:added|implemented|done|handled|addressed|fixed|written|migrated|tackled|wired|improved|covered|tested|documented|completed|finished|extended|refactored|revisited|add|implement|do|handle|address|fix|write|migrate|tackle|wire|improve|cover|test|document|complete|finish|extend|refactor|revisit|replaced|removed|replace|remove|come back|return|get)\b[^.;?!]*?\b]] .. LATER },
  { cues = LATER_CUES, [[\b(?:(?:will|to) (?:come|follow|land|happen|ship)|(?:is|are) planned)\b[^.;?!]*?\b]] .. LATER },
  { cues = { "follow-up", "follow up", "followup" }, [[\b(?:belongs? in|is for|are for|goes in(?:to)?|go in(?:to)?|candidates? for|worth|deserves?|material for|planned (?:as|for)|needs?|as) (?:an? )?(?:separate |later |future )?follow-?up\b]] },
  -- "not yet implemented"
  { cues = { "not implemented", "not wired", "not hooked", "not tested", "not verified", "not covered", "not done", "not included", "not finished" }, now = true,
    [[(?:\b(?:is|are)(?: currently)? )?\bnot (?:currently |fully )?(?:implemented|wired up|hooked up|finished)(?: here| currently| at all)?\W*$|^\W*not (?:tested|verified|implemented|covered|done|included)\b]] },
  { cues = { "no " }, now = true, [[^\W*(?:there (?:is|are) )?no (?:\w+ ){1,4}yet\W*$]] },
  { cues = { ": not ", ": defer", ": postpon", ": unfinished", ": incomplete", ": to do", ": to-do" }, now = true,
    [[: (?:not (?:yet )?(?:started|done|implemented|finished)|deferred|postponed|unfinished|incomplete|to[- ]do)\W*$]] },
  { cues = { "incomplete" }, now = true, [[\b(?:implementation|work|port|migration|coverage|support|documentation|change|fix|feature) (?:is|are|remains?) (?:still )?incomplete\b]] },
  { cues = { "not yet" }, now = true, [[\b(?:not|isn't|aren't|hasn't|haven't) yet (?:been )?(?:fully |completely |properly )?]] .. DONE .. [[\b]] },
  { cues = { "yet", "for now", "for the time being", "at the moment", "so far", "in this pr", "in this change", "in this pass", "in this commit", "in this iteration", "in this version" }, now = true,
    [[\b(?:is not|are not|isn't|aren't|has not|have not|hasn't|haven't|not) (?:yet )?(?:been )?(?:fully |completely |properly )?]] .. DONE .. [[\b[^.;?!]*?\b(?:yet|for now|for the time being|at the moment|so far|in this (?:pr|change|pass|commit|iteration|version))\b]] },
  { cues = { "yet" }, [[\b(?:I|we) (?:haven't|have not|hadn't|didn't|did not|couldn't|could not|don't|do not)\b[^.;?!]*?\byet\b]] },
  { cues = { "yet" }, now = true, [[\b(?:doesn't|don't|does not|do not|cannot|can't|won't) (?:yet )?(?:fully |properly )?]] .. VERB .. [[\b[^.;?!]*?\byet\b]] },
  { cues = { "yet" }, now = true, [[\b(?:doesn't|don't|does not|do not|cannot|can't) yet (?:fully |properly )?]] .. VERB .. [[\b]] },
  { cues = { "yet" }, now = true, [[\b(?:has|have) (?:no|not any) ]] .. NOUN .. [[\b[^.;?!]*?\byet\b|\bno (?:\w+ )?]] .. NOUN .. [[\b[^.;?!]*?\byet\b]] },
  { cues = { "yet" }, now = true, [[\b(?:is|are|has|have) yet to be (?:]] .. DONE .. [[)\b]] },
  { cues = { "i haven't", "i haven’t", "i have not", "i didn't", "i didn’t", "i did not", "i couldn't", "i couldn’t", "i could not", "i wasn't able", "i wasn’t able", "i was not able", "i was unable", "i am unable", "i can't", "i can’t", "i cannot", "out of time" },
    [[\bI (?:haven't|have not|didn't|did not|couldn't|could not|wasn't able to|was not able to|was unable to|am unable to)(?: get(?: around)? to)? (?:run|ran|test|tested|verify|verified|finish|finished|complete|completed|implement|implemented|build|built|cover|covered|add|added|update|updated|migrate|migrated|port|ported|document|documented|write|written|handle|handled|touch(?:ed)? on|get to|got to|gotten to|have time)\b|\bI (?:can't|cannot) (?:run|test|verify|finish|complete)\b|\b(?:ran|run) out of time\b]] },
  { cues = { "unimplemented", "unfinished", "untested", "undocumented", "unhandled", "half-done", "half done", "half-finished", "half finished", "half-implemented", "half-baked", "partially", "only partly" }, now = true,
    [[\b(?:is|are|remains?|left)\b(?: \w+){0,2} (?:unimplemented|unfinished|untested|undocumented|unhandled|half[- ](?:done|finished|implemented|baked)|(?:only )?(?:partially|partly) (?:implemented|done|complete|tested|covered|working|migrated))\b]] },
  { cues = { "work in progress" }, now = true, [[\b(?:is|are|remains?) (?:still |a |only )*work in progress\b]] },
  -- "remains to be done"
  { cues = { "remains to ", "remain to ", "remaining to ", "remains un", "remain un", "remains incomplete" }, now = true, [[\b(?:remains?|remaining) (?:to be (?:]] .. DONE .. [[|decided|investigated)|unimplemented|unfinished|untested|undone|unresolved|unhandled|incomplete|to do)\b]] },
  { cues = { " left", "what remains", "that remains", "s remaining", "thing remains", "things remain", "part remains", "parts remain", "step remains", "steps remain", "task remains", "tasks remain", "item remains", "items remain" }, now = true, [[\b(?:what(?:'s| is)? (?:still )?(?:left|remains|remaining)|all that(?:'s| is)? (?:left|remains)|(?:the )?(?:only|last|one|two|three|few|several) (?:thing|things|piece|pieces|part|parts|step|steps|item|items|task|tasks) (?:that )?(?:(?:is |are )?(?:left|remaining)|remains?))(?: to do| open)?\b]] },
  { cues = { "remaining ", "outstanding " }, now = true, [[\b(?:remaining|outstanding) (?:work|tasks?|items?|steps?) (?:includes?|consists? of)\b]] },
  { cues = { "left to" }, now = true, positive = true, [[\b(?:is|are|have|has|'s)\b[^.;?!]*? left to (?:do|be done|implement|finish|fix|migrate|port|write|test|convert|wire)\b]] },
  -- "out of scope for now"
  { cues = { "out of scope" }, [[\bout of scope (?:for now|for the moment|(?:for|of|in) (?:this|the current) \w+|today)\b]] },
  { cues = { "for now", "time being", "at the moment" }, [[\b]] .. SHORTCUT .. [[\b[^.;?!]*?\b(?:for now|for the time being|at the moment)\b|\b(?:for now|for the time being|at the moment)\b[^.;?!]*?\b]] .. SHORTCUT .. [[\b]] },
  { cues = { "disabled", "skipped", "commented out", "xfailed" }, [[\bI(?:'ve| have)? (?:temporarily )?(?:disabled|skipped|commented out|xfailed) (?:[\w\x01\x02-]+ ){0,5}(?:tests?|assertions?|checks?|specs?|suite)\b]] },
  { cues = { "temporar" }, now = true, [[\btemporary (?:workaround|fix|hack|solution|measure)\b|\btemporarily (?:disabled|skipped|hard-?coded|commented out|stubbed)\b]] },
  { cues = { "currently" }, now = true, [[\bcurrently (?:just |only |simply )?(?:returns?|uses?|gives?|sends?|is) (?:an? |the |some )?(?:hard-?coded|fake|dummy|mocked|mock|stubbed|placeholder)\b]] },
  -- "is a placeholder", "is stubbed out"
  { cues = { "placeholder" }, now = true,
    [[\b(?:just|only|merely|currently|a dummy|left) (?:\w+ )?(?:an? |as |in |some )*placeholders?\b|\bI(?:'ve| have)? (?:used|put in) (?:an? |some )*placeholder (?:data|values?|content|images?|copy|credentials)\b|\bplaceholder (?:implementation|logic|code|function|handler|stub|body|values? for now)\b|\bplaceholders? (?:for now|until|at the moment|that (?:needs?|must|should|has to|ha(?:s|ve) to|will))\b]] },
  { cues = { "stub" }, now = false, test = true, [[\bstubbed (?:\w+ )?out\b|\b(?:is|are|just|only|merely|currently|as) (?:(?:still|just|only|currently|merely|an?|empty) )*(?:stubs?|stubbed)\b|\bstub implementations?\b]] },
}

-- A stub in a test isn't unfinished work.
local IN_TESTS = [[(?i)\b(?:in|by|for) (?:\w+ ){0,3}(?:tests?|specs?|fixtures?)\b|\btests? (?:use|uses|with)\b]]

-- cue returns the longest word of a phrase: its blanks may be line ends.
local function cue(phrase)
  local longest = ""
  for word in phrase:lower():gmatch("%S+") do
    longest = #word > #longest and word or longest
  end
  return longest
end

function phrases.new(more)
  local self = setmetatable({ cues = {}, rules = {} }, phrases)
  local known = {}
  local function add(rule)
    self.rules[#self.rules + 1] = rule
    for _, cue in ipairs(rule.cues) do
      if not known[cue] then
        known[cue] = true
        self.cues[#self.cues + 1] = cue
      end
    end
  end
  for _, phrase in ipairs(more) do
    add({ cues = { cue(phrase) }, pattern = [[(?is)^(.*?)(]] .. re.replace(re.quote(phrase), [[\s+]], [[\s+]]) .. [[)(.*)$]] })
  end
  for _, rule in ipairs(TABLE) do
    add({ cues = rule.cues, now = rule.now, people = rule.people, positive = rule.positive, test = rule.test, pattern = [[(?is)^(.*?)(]] .. rule[1]:gsub(" ", "\\s+") .. [[)(.*)$]] })
  end
  return self
end

-- rules_of returns the rules that have one of these cues, a set.
function phrases:rules_of(cues)
  local rules = {}
  for _, rule in ipairs(self.rules) do
    for _, cue in ipairs(rule.cues) do
      if cues[cue] then
        rules[#rules + 1] = rule
        break
      end
    end
  end
  return rules
end

-- match reports whether a sentence, with its quotations and code hidden, says by one of these rules that work is
-- left.
function phrases.match(rules, said)
  local lower = said:lower()
  for _, rule in ipairs(rules) do
    for _, cue in ipairs(rule.cues) do
      if lower:find(cue, 1, true) then
        local _, before, phrase, behind = re.find(said, rule.pattern)
        if before and context.counts(said, before, behind, rule) and not (rule.positive and context.denies(phrase))
          and not (rule.test and re.match(said, IN_TESTS)) then
          return true
        end
        break
      end
    end
  end
  return false
end

return phrases
