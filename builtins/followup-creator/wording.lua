-- The words of an answer: its quotations, the ends of its sentences, and the text without Markdown.

local wording = {}

local MOST_TEXT = 1000     -- bytes of a follow-up that are examined
local MOST_SENTENCE = 2000 -- bytes of a sentence; a longer one is cut into several

-- Pairs of marks; text between them is ignored. The outer ones come first. drop: the text between them is
-- removed, too.
local PAIRS = {
  { "``", "``" }, { "`", "`" },
  { "<!--", "-->", drop = true }, { "~~", "~~", drop = true },
  { '"', '"', word = true, keep = true }, { "“", "”", keep = true }, { "«", "»", keep = true }, { "„", "“", keep = true },
  { "'", "'", word = true, keep = true },
}

-- Whether a quotation mark that may also be an apostrophe, or the sign for inches, begins a quotation at this
-- place, or ends one.
local function begins(s, at)
  return not s:sub(at - 1, at - 1):find("[%w_]") and s:sub(at + 1, at + 1):find("%S") ~= nil
end

local function ends(s, at)
  return not s:sub(at + 1, at + 1):find("[%w_]") and s:sub(at - 1, at - 1):find("%S") ~= nil
end

local function find_mark(s, mark, from, fits)
  local at = s:find(mark, from, true)
  while at and fits and not fits(s, at) do
    at = s:find(mark, at + 1, true)
  end
  return at
end

-- covered replaces each part between two marks with a token.
local function covered(s, pair, kept)
  local open, close = pair[1], pair[2]
  local parts, from = {}, 1
  while true do
    local first = find_mark(s, open, from, pair.word and begins)
    local last = first and find_mark(s, close, first + #open, pair.word and ends)
    if not last then
      break
    end
    local inner = s:sub(first + #open, last - 1)
    kept[#kept + 1] = pair.drop and "" or pair.keep and open .. inner .. close or inner
    parts[#parts + 1] = s:sub(from, first - 1)
    parts[#parts + 1] = ("\1%d\2"):format(#kept)
    from = last + #close
  end
  if #parts == 0 then
    return s
  end
  parts[#parts + 1] = s:sub(from)
  return table.concat(parts)
end

-- hide returns the words without emphasis and with tokens instead of code, quotations and addresses, so that
-- these aren't taken for the agent's own statements; and the function restore, which puts back the text of the
-- tokens.
function wording.hide(words)
  local kept = {}
  local s = words:gsub("[\1\2]", " ")
  for _, pair in ipairs(PAIRS) do
    if s:find(pair[1], 1, true) then
      s = covered(s, pair, kept)
    end
  end
  if s:find("](", 1, true) then
    s = re.replace(s, [[!?\[([^\]\[]*)\]\([^()\s]*(?:\s[^()]*)?\)]], "$1")
  end
  if s:find("://", 1, true) then
    s = s:gsub("%f[%w]https?://[^%s]+", function(address)
      kept[#kept + 1] = address
      return ("\1%d\2"):format(#kept)
    end)
  end
  s = s:gsub("’", "'")
  if s:find("[*_]") then
    s = s:gsub("%*%*+", "")
    s = re.replace(s, [[(^|[\s(])\*([^*\s][^*]*)\*]], "$1$2")
    s = re.replace(s, [[(^|[\s(])__?([^_\s][^_]*)__?($|[\s).,;:!?])]], "$1$2$3")
  end
  local function token(number)
    return kept[tonumber(number)] or ""
  end
  return {
    text = text.trim(s),
    restore = function(part)
      for _ = 1, 3 do -- a quotation may have code in it
        if not part:find("\1", 1, true) then
          break
        end
        part = part:gsub("\1(%d+)\2", token)
      end
      return part
    end,
  }
end

local ABBREVIATED = { ["e.g."] = true, ["i.e."] = true, ["etc."] = true, ["vs."] = true, ["cf."] = true, ["approx."] = true, ["no."] = true }

-- sentences returns the sentences of a text, each {text, line}; its first line has the given number. Quotations
-- and code must be hidden.
function wording.sentences(s, line)
  local list, from = {}, 1
  local function add(to)
    while to - from >= MOST_SENTENCE do
      local part = text.truncate(s:sub(from, from + MOST_SENTENCE - 1), MOST_SENTENCE - 4, "")
      list[#list + 1] = { text = text.trim(part), line = line }
      from = from + #part
    end
    local raw = s:sub(from, to)
    local said = text.trim(raw)
    if said ~= "" then
      local _, above = raw:match("^%s*"):gsub("\n", "")
      list[#list + 1] = { text = said, line = line + above }
    end
    local _, n = raw:gsub("\n", "")
    line, from = line + n, to + 1
  end
  local at = 1
  while true do
    local first, last = s:find("[.!?][\"')%]\2]*%s", at)
    if not first then
      break
    end
    local word = s:sub(math.max(from, first - 8), first):match("(%S+)$")
    if not (word and ABBREVIATED[word:lower():gsub("^%(", "")]) then
      add(last)
    end
    at = last + 1
  end
  add(#s)
  return list
end

-- tidy returns a follow-up's text for display: one line, without surrounding Markdown.
function wording.tidy(words)
  local s = text.truncate(words, MOST_TEXT, ""):gsub("[%c%s]+", " ")
  s = s:gsub("\\([.*_#%[%]()!-])", "%1")
  s = s:gsub("%s*%*/%s*$", ""):gsub("%s*%-%->%s*$", "")
  s = s:gsub("^[%s:;,.>/|]+", ""):gsub("^[-*#]+%s+", "")
  s = s:gsub("[%s,;:|]+$", "")
  if s:find("%.$") and not s:find("%.%.$") then
    s = s:sub(1, -2)
  end
  if s:find("%)$") and not s:find("(", 1, true) then
    s = s:sub(1, -2)
  end
  if s:find("^%(") and not s:find(")", 1, true) then
    s = s:sub(2)
  end
  return text.trim(s)
end

-- key identifies a follow-up by its words alone, without places in files, which change; nil if there are no
-- words.
function wording.key(said)
  local s = re.replace(said:lower(), [[:\d+(?::\d+)?\b]], "")
  s = text.trim(re.replace(s, [[[\s!-/:-@\[-`{-~]+]], " "))
  s = re.replace(s, [[^(?:(?:i|we|it) )?(?:(?:will|ll) )?(?:still )?(?:needs?|ha(?:s|ve)) to ]], "")
  if not s:find("[%w\128-\255]") then
    return nil
  end
  return hash.sha256(s):sub(1, 16)
end

-- source returns the place in the code that the words name, as cart.go:12; nil if there is none.
function wording.source(words)
  local place = re.find(words, [[(?:[\w.@-]+/)*[\w@-]+\.[A-Za-z]\w{0,9}:\d+]])
    or re.find(words, [[(?:[\w.@-]+/)+[\w@-]+\.[A-Za-z]\w{0,9}\b]])
    or re.find(words, [[\b[\w-]+\.(?:go|lua|py|js|jsx|ts|tsx|rs|c|h|cc|cpp|hpp|java|kt|rb|php|cs|swift|scala|sh|sql|css|html|vue|svelte|md|yaml|yml|toml|json)\b]])
  return place and #place <= 200 and place or nil
end

-- is_nothing reports whether words say that there is nothing to do.
function wording.is_nothing(said)
  return re.match(said, [[(?i)^(?:none|nothing|nil)\b|^(?:n/?a|empty|(?:all (?:is |are )?)?done|complete|not applicable|no(?:ne)? left|-+)[\s.!)]*$]])
end

-- is_done reports whether words end with a note that this is done.
function wording.is_done(said)
  return re.match(said, [=[(?i)(?:[-–—:(,;\[]|\bis|\bare|\bwas|\bwere|\bbeen|\bnow|\balready)\s*(?:now |all |already )?(?:done|fixed|resolved|gone|removed|implemented|addressed|completed?|finished|obsolete)\b[\s.!)\]]*$|[✅✔✓☑]\x{FE0F}?[\s.!)]*$|^[✅✔✓☑]]=])
end

return wording
