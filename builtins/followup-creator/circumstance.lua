-- Context that cancels a phrase: "nothing is left for later", "if it still needs to be done", "you still need to
-- log in". It works on sentences whose quotations and code are hidden.

local circumstance = {}

-- The clause of a phrase begins after the last of these.
local BORDER = [[(?is)^.*(?:[,;:–—(]|\s-\s|\b(?:and|but|while|though|although|with|except|however|yet|so)\b)]]

local NEGATED = [[(?i)\b(?:no|not|never|nothing|none|nobody|neither|nor|without|cannot|hardly|any ?more)\b|n't\b]]

local CONDITIONAL = [[(?i)\b(?:if|unless|whether|when|whenever|where|in case|would|could|should you|suppose|assuming|as though|imagine|e\.g\.)\b]]

-- A condition that begins the sentence holds for all of it.
local CONDITION_FIRST = [[(?i)^\W*(?:if|unless|whenever|when|in case|should you|assuming|suppose|until|as long as|while|where)\b]]

-- What has been done about it.
local RESOLVED = [[(?i)\b(?:remov(?:ed?|es|ing)|delet(?:ed?|es|ing)|resolv(?:ed?|es|ing)|fix(?:ed|es|ing)?|replac(?:ed?|es|ing)|implement(?:ed|s|ing)?|finish(?:ed|es|ing)?|complet(?:ed?|es|ing)|address(?:ed|es|ing)?|clos(?:ed?|es|ing)|clean(?:ed|s|ing)?|clear(?:ed|s|ing)?|dropp?(?:ed|ing)?|fill(?:ed|s|ing)? in|tackl(?:ed?|ing)|got rid of|found|searched|grepped|looked for|checked)\b]]

local REPORTED = [[(?i)\b(?:says?|said|saying|states?|stated|asks?|asked|asking|reads|prints?|printed|logs|logged|returns?|returned|throws?|threw|raises?|raised|shows?|showed|warns?|warned|complains?|claims?|claimed|mentions?|mentioned|titled|named|called|labell?ed|described|according to|means|meant)\b]]

local PAST = [[(?i)\b(?:was|were|had|did)\b]]
local FORMERLY = [[(?i)\b(?:previously|formerly|originally|initially|used to|earlier|at first|back then|until now|up to now|so far as|last (?:week|month|year|time|sprint|session)|yesterday|in the past|before this|no longer)\b]]

-- Words about the reader or others, who have to do it.
local OTHERS = [[(?i)\byou(?:'\w+|r team)?\b|\b(?:everyone|everybody|anyone|anybody|he|she)\b|^\W*(?:please|make sure|remember|don't forget|do not forget|feel free|let me know|consider|ensure|note that you)\b]]

local PEOPLE = [[(?i)\b(?:users?|visitors?|callers?|clients?|customers?|admins?|administrators?|developers?|contributors?|reviewers?|people)\b]]

local BY_OTHERS = [[(?i)\b(?:by you|on your (?:side|end|machine|part)|up to you|yourself|yourselves|for you to|manually)\b]]

-- Text after the phrase that says that it is done.
local OVER = [[(?i)\b(?:so I(?:'ve| have)? (?:also |now |just )?(?:\w+ed|wrote|did|built|made)|(?:is|are|was|were|has been|have been|got) (?:now |all |already |since )?(?:done|gone|fixed|resolved|removed|implemented|addressed|completed?|finished|handled|obsolete|no longer)|now (?:it )?(?:works?|passes|pass|done|fixed|resolved|implemented)|(?:has|have) been (?:now |since )?(?:added|built|written|created|merged|wired|migrated)|(?:but|and) (?:it|they|that|this)(?:'s| is| are)? now|(?:is|are) now (?:in place|there|wired|supported|handled|covered|tested)|(?:but|and) (?:now )?(?:it is|it's|they are|they're|that is|that's) (?:now )?(?:done|fixed|there|in place)|I(?:'ve| have) (?:now|since|just) \w+|I (?:have )?(?:now|just|then) (?:\w+ed|wrote|did|built|made)\b)]]

-- The same words used as a description: "the fixed rate".
local DESCRIBES = [[(?i)\b(?:the|an?|this|that|these|its|our) (?:\w+ly )?(?:removed|deleted|resolved|fixed|replaced|implemented|finished|completed|closed|cleaned|dropped|found|checked)\b]]

local function clause(before)
  return re.replace(re.replace(before, BORDER, ""), DESCRIBES, "it")
end

-- asks reports whether a sentence is a question.
function circumstance.asks(said)
  return said:find("%?[!?\"')%]\2]*$") ~= nil
end

-- denies reports whether words have a negation.
function circumstance.denies(words)
  return re.match(words, NEGATED)
end

-- over reports whether words say that this is done.
function circumstance.over(words)
  return re.match(words, OVER) or require("wording").is_done(words)
end

-- excuses reports whether the words before a phrase cancel it.
function circumstance.excuses(before)
  if before == "" then
    return false
  end
  local near = clause(before)
  return re.match(before, CONDITION_FIRST) or re.match(near, NEGATED) or re.match(near, CONDITIONAL)
    or re.match(near, RESOLVED) or re.match(near, REPORTED) or re.match(before, FORMERLY)
end

-- counts reports whether a phrase counts, by the text before and after it and the rule's fields; see
-- phrases.lua.
function circumstance.counts(said, before, behind, rule)
  if circumstance.asks(said) or circumstance.excuses(before) then
    return false
  end
  local near = clause(before)
  if re.match(near, OTHERS) or re.match(behind, BY_OTHERS) or circumstance.over(behind) then
    return false
  end
  return not (rule.now and re.match(near, PAST)) and not (rule.people and re.match(near, PEOPLE))
end

return circumstance
