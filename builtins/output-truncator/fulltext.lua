-- The full text of an output: where it is kept, and how the agent learns about it.

local fulltext = {}

-- The largest file that is made of several texts.
local LARGE = 8 * 1024 * 1024

-- One text as it is, or several in sequence with their names in the output.
local function joined(places)
  local bytes, parts = 0, {}
  for _, place in ipairs(places) do
    bytes = bytes + #place.full
    parts[#parts + 1] = "==> " .. tostring(place.key) .. " <==\n"
    parts[#parts + 1] = place.full
    parts[#parts + 1] = "\n"
  end
  return bytes <= LARGE and table.concat(parts)
end

-- keep puts the full texts into a file that the agent may read, and returns its path, or nil and why there is
-- none.
function fulltext.keep(places, name)
  local all = #places == 1 and places[1].full or joined(places)
  if not all then
    return nil, "its parts are too large for one file"
  elseif not spill then
    return nil, "there is no place for long texts here"
  end
  return spill(all, { name = name })
end

-- note returns the text of the first marker.
function fulltext.note(summary)
  if summary.path then
    return "the full text is in " .. summary.path:gsub("[\r\n]", "?")
  elseif summary.problem then
    return "the full text could not be kept: " .. text.truncate(summary.problem:gsub("%s+", " "), 200)
  end
  return ""
end

local function some(n, what)
  return n > 0 and ("%d %s"):format(n, what) or nil
end

-- mention says in a text what was left out of it, if nothing was cut and there is space.
function fulltext.mention(place, summary, bytes, lines)
  if not place then
    return
  end
  local left_out = {}
  left_out[#left_out + 1] = some(summary.squeezed.escapes, "escape sequences")
  left_out[#left_out + 1] = some(summary.squeezed.overwritten, "overwritten states of lines")
  left_out[#left_out + 1] = some(summary.squeezed.repeated, "repeated lines")
  if #left_out == 0 then
    return
  end
  local note = fulltext.note(summary)
  local ended = place.text == "" or place.text:sub(-1) == "\n"
  local line = ("%s[... left out: %s%s ...]%s"):format(ended and "" or "\n", table.concat(left_out, ", "), note == "" and "" or "; " .. note, ended and "\n" or "")
  if #line <= bytes and lines >= 1 and #place.text + #line < #place.full then
    place.text = place.text .. line
  end
end

return fulltext
