-- Which errors are the same: those whose texts are equal once everything that varies is removed.

local fingerprint = {}

-- The parts of a text that are examined: this much of its beginning and its end as it is, and this much of each
-- after the escape sequences are removed.
local RAW, HEAD, TAIL = 4096, 2000, 1000

local ANSI = patterns.later([=[\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])]=])
local CONTROL = patterns.later([=[[\x00-\x08\x0b-\x1f\x7f]+]=])

-- without_colours returns a text without the escape sequences for colours, and with uniform line ends.
function fingerprint.without_colours(s)
  return CONTROL:replace(ANSI:replace(s:gsub("\r\n?", "\n"), ""), " ")
end

-- A part that varies but is kept: codes in capitals, such as ORA-00942.
local CODE = patterns.later([=[\b([A-Z][A-Z0-9]{1,7})-(\d{2,6})\b]=])

-- The parts that vary, in this order: each pattern works on the result of the ones before. A number that
-- identifies the error is protected by a letter.
local VARIES = {
  -- 404 of HTTP, exit status 1, [Errno 2], SQLSTATE 42703; then "Error 1" of make, os error 13.
  { [=[\b(http(?:/[\d.]+)?|status(?: ?code)?|exit(?:ed)?(?: with)?(?: code| status)?|errno|(?:error|return|response) code|code|sqlstate|signal)([ :=(\[]+)(-?\d{1,5})\b]=], "$1${2}c$3" },
  { [=[\b((?:os )?error)( #?| ?\()(\d{1,5})(\s*$|[:;,)\]]| \()]=], "$1${2}c$3$4" },
  { [=[\b[a-z][a-z0-9+.-]{1,20}://[^\s"'<>`]+]=], "<url>" },
  { [=[(^|[^\w/.-])\d{4}[-/]\d\d[-/]\d\d(?:[t ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?)?(?: ?z\b| ?[+-]\d\d:?\d\d\b)?]=], "$1<time>" },
  { [=[\b(?:mon|tue|wed|thu|fri|sat|sun),? (?:\d\d? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?: +\d\d?)?(?: \d{4})?\b]=], "<time>" },
  { [=[\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec) +\d\d?\b]=], "<time>" },
  { [=[\b\d\d?:\d\d:\d\d(?:[.,]\d+)?(?: ?[ap]m\b)?(?: ?(?:z|utc|gmt)\b| ?[+-]\d\d:?\d\d\b)?(?: \d{4}\b)?]=], "<time>" },
  { [=[<time>(?: <time>)+]=], "<time>" },
  { [=[\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b]=], "<id>" },
  { [=[\b0x[0-9a-f]+\b]=], "<hex>" },
  -- Paths: of Windows, those with a slash in them, names of files; then the place in the file.
  { [=[\b[a-z]:[\\/][^\s"'`<>|:*?(]*]=], "<path>" },
  { [=[(^|[\s"'`(=\[,:>])(?:~|\.{1,2}|[\w@+.-]+)?(?:/[\w@+.~%-]+)+/?]=], "$1<path>" },
  { [=[(^|[\s"'`(=\[,:>])(?:\.{1,2}|[\w@+.-]+)?(?:\\[\w@+.~%-]+)+\\?]=], "$1<path>" },
  { [=[(^|[\s"'`(=\[,])[\w@+-][\w@+.-]*\.(?:go|py|js|mjs|cjs|ts|tsx|jsx|vue|rs|java|kt|scala|swift|rb|c|h|cc|cpp|hpp|cs|php|ex|exs|lua|sh|sql|json|ya?ml|toml|ini|cfg|conf|xml|html?|s?css|md|txt|log|csv|lock|tmp|pdf|png|jpg|zip|gz)\b]=], "$1<path>" },
  { [=[<path>(?::\d+(?:[:.,]\d+)?|\(\d+(?:,\d+)?\))?(?:-\d+(?::\d+)?)?]=], "<path>" },
  { [=[\b(?:\d{1,3}\.){3}\d{1,3}\b(?::\d+)?]=], "<address>" },
  { [=[\[[0-9a-f]*:[0-9a-f:]*\](?::\d+)?]=], "<address>" },
  { [=[(^|\W)"(?:[^"\\\n]|\\.)*"]=], "$1<value>" },
  { [=[(^|\W)'(?:[^'\\\n]|\\.)*']=], "$1<value>" },
  { [=[(^|\W)`[^`\n]*`]=], "$1<value>" },
  { "(?:“[^”\n]*”|‘[^’\n]*’|«[^»\n]*»)", "<value>" },
  { [=[\bv?\d+\.\d+\.\d+[\w.+-]*]=], "<n>" },
  { [=[(^|[^\w.])[-+]?(?:\d+(?:[.,]\d+)*(?:e[-+]?\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?|mins?|minutes?|m|hours?|hrs?|h|milliseconds?|days?)\b ?|\d+[hm])+]=], "$1<n> " },
  { [=[(^|[^\w.])[-+]?\d+(?:[.,]\d+)*(?:e[-+]?\d+)? ?(?:(?:b|bytes?|[kmgt]i?b)\b|%)]=], "$1<n>" },
  { [=[(^|[^\w])[-+]?\d[\d_]*(?:[.,]\d+)*(?:e[-+]?\d+)?\b]=], "$1<n>" },
  { [=[\b[0-9a-f]{7,}\b]=], "<hex>" },
  { [=[\s+]=], " " },
}
for _, change in ipairs(VARIES) do
  change[1] = patterns.later("(?im)" .. change[1])
end

local function plain(s)
  s = CODE:replace(fingerprint.without_colours(s), "${1}c$2"):lower()
  for _, change in ipairs(VARIES) do
    s = change[1]:replace(s, change[2])
  end
  return text.trim(s)
end

-- normal returns a text without the parts that vary; of a long one the beginning and the end.
function fingerprint.normal(s)
  if #s <= 2 * RAW then
    s = plain(s)
    if #s <= HEAD + TAIL then
      return s
    end
    return s:sub(1, HEAD) .. " ... " .. s:sub(-TAIL)
  end
  return plain(s:sub(1, RAW)):sub(1, HEAD) .. " ... " .. plain(s:sub(-RAW)):sub(-TAIL)
end

-- of returns the fingerprint of an error: 16 hex digits that are the same for the same tool (or ""), kind and
-- message.
function fingerprint.of(tool, kind, message)
  return hash.sha256(table.concat({ tool, kind, fingerprint.normal(message) }, "\0")):sub(1, 16)
end

return fingerprint
