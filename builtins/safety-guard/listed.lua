-- Commands that are given all that another command lists.

local listed = {}

local PASS_ON = { cut = true, tr = true, sort = true, uniq = true, cat = true, paste = true, xargs = true, column = true }
local EVERY_LINE = patterns.later([=[^\s*(NR\s*(>|>=|!=)\s*\d\s*)?\{\s*print\s*\(?\s*\$\d+\s*\)?\s*;?\s*\}\s*$]=])
local NUMBERS = patterns.later([=[^\^?(\[0-9\]|\[\[:digit:\]\]|\\d)[+*]*\\?\+?\$?$]=])

-- passes_on reports whether a program leaves every line of a list, of processes or of other things, in it.
function listed.passes_on(filter)
  local name, first = filter.name or "", filter:operands()[1] or ""
  if name == "awk" or name == "gawk" or name == "mawk" then
    return EVERY_LINE:match(first)
  elseif name == "grep" or name == "egrep" then
    return NUMBERS:match(first)
  elseif name == "tail" then -- all but the head line
    return re.match(table.concat(filter.args, " "), [[^(-n *)?\+\d$]])
  end
  return PASS_ON[name]
end

-- all reports whether what a command is told is all that some program lists: lists(source) is true for a command that
-- lists everything, false for one that lists a part, and nil for others, which must leave every line in the list.
function listed.all(cmd, lists)
  local found = false
  for _, source in ipairs(cmd.told) do
    local whole = lists(source)
    if whole == false or whole == nil and not listed.passes_on(source) then
      return false
    end
    found = found or whole == true
  end
  return found
end

return listed
