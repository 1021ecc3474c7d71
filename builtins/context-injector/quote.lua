-- Text from a repository may come from a stranger. It is quoted: between marks with its name that it can't
-- imitate, without secrets and without invisible characters.

local quote = {}

-- Control characters, characters that change the direction of writing, and other invisible ones that could hide
-- something.
local UNSEEN = patterns.later(
  [=[[\x00-\x08\x0b-\x1f\x7f-\x{9f}\x{ad}\x{61c}\x{180e}\x{200b}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2060}-\x{206f}\x{feff}\x{fff9}-\x{fffb}\x{e0000}-\x{e01ef}]]=]
)
local LINE_ENDS = patterns.later([[\r\n?|\x{2028}|\x{2029}|\x{85}]])
local BROKEN = patterns.later([[\x{fffd}]]) -- also stands for bytes that aren't UTF-8

-- text returns a text as it may be shown, with \n as line ends.
function quote.text(s)
  s = BROKEN:replace(LINE_ENDS:replace(s, "\n"), "\239\191\189")
  return redact.text(UNSEEN:replace(s, ""))
end

-- line returns a text as one line of at most most bytes.
function quote.line(s, most)
  s = text.truncate(s, 4 * most, "") -- enough of it to recognise a secret
  return text.truncate(text.trim(re.replace(quote.text(s), [[\s+]], " ")), most)
end

-- A mark that isn't in the text; the same for the same text.
local function mark(name, s)
  for n = 1, 1000 do
    local m = hash.sha256(name .. "\n" .. n .. "\n" .. s):sub(1, 8)
    if not s:find(m, 1, true) then
      return m
    end
  end
  error("no mark could be found for " .. name, 0)
end

-- overhead returns how many bytes a block has in addition to its text.
function quote.overhead(name)
  return 2 * (#name + 8) + #("[begin  ]\n\n[end  ]\n")
end

-- block quotes a text that quote.text has returned, under a fixed name or one from quote.name.
function quote.block(name, s)
  local m = mark(name, s)
  return ("[begin %s %s]\n%s\n[end %s %s]\n"):format(name, m, s, name, m)
end

-- name returns the path of a file for marks and lines.
function quote.name(p)
  return (quote.line(p, 100):gsub("[%[%]]", "?"))
end

return quote
