-- What comes from a repository may be a stranger's. It is quoted: between marks with its
-- name that it can't imitate, without secrets and without characters that don't show.

local quote = {}

-- Control characters, those that turn the direction of writing, and others that show
-- nothing and could hide something.
local UNSEEN = patterns.later(
  [=[[\x00-\x08\x0b-\x1f\x7f-\x{9f}\x{ad}\x{61c}\x{180e}\x{200b}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2060}-\x{206f}\x{feff}\x{fff9}-\x{fffb}\x{e0000}-\x{e01ef}]]=]
)
local LINE_ENDS = patterns.later([[\r\n?|\x{2028}|\x{2029}|\x{85}]])
local BROKEN = patterns.later([[\x{fffd}]]) -- bytes that are no UTF-8 as well

-- text is a text as it may be shown, with \n as the end of its lines.
function quote.text(s)
  s = BROKEN:replace(LINE_ENDS:replace(s, "\n"), "\239\191\189")
  return redact.text(UNSEEN:replace(s, ""))
end

-- line is a text on one line of at most so many bytes.
function quote.line(s, most)
  s = text.truncate(s, 4 * most, "") -- enough of it to see a secret
  return text.truncate(text.trim(re.replace(quote.text(s), [[\s+]], " ")), most)
end

-- A mark that isn't in the text. The same text has the same.
local function mark(name, s)
  for n = 1, 1000 do
    local m = hash.sha256(name .. "\n" .. n .. "\n" .. s):sub(1, 8)
    if not s:find(m, 1, true) then
      return m
    end
  end
  error("no mark is to be found for " .. name, 0)
end

-- overhead is how many bytes a block has beside its text.
function quote.overhead(name)
  return 2 * (#name + 8) + #("[begin  ]\n\n[end  ]\n")
end

-- block quotes a text, of which quote.text has made what it is, under a name of ours or one
-- that quote.name has made.
function quote.block(name, s)
  local m = mark(name, s)
  return ("[begin %s %s]\n%s\n[end %s %s]\n"):format(name, m, s, name, m)
end

-- name is the path of a file as marks and lines have it.
function quote.name(p)
  return (quote.line(p, 100):gsub("[%[%]]", "?"))
end

return quote
