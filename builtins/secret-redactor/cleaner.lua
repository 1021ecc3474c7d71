-- Finds secrets in a text or in a table of texts, and replaces them with marks.

local cleaner = {}

-- The beginning of a mark, which replaces a secret and ends with a bracket.
local OPENING = "[redacted: "

-- Calls change with each text in a value and replaces the text with the result. A table is the hook's own copy,
-- so that its shape can stay.
local function each_text(value, change)
  if type(value) == "string" then
    return change(value)
  elseif type(value) == "table" then
    for key, inner in pairs(value) do
      value[key] = each_text(inner, change)
    end
  end
  return value
end

-- How many marks of each kind a value has.
local function marks_of(value)
  local kinds = {}
  each_text(value, function(s)
    local _, at = s:find(OPENING, 1, true)
    while at do
      local kind = s:sub(at + 1, at + 100):match("^([^%[%]%c]+)%]")
      if kind then
        kinds[kind] = (kinds[kind] or 0) + 1
      end
      _, at = s:find(OPENING, at, true)
    end
    return s
  end)
  return kinds
end

-- Replaces the matches of an extra pattern, except allowed ones.
local function replace(s, extra, allowed)
  local hits = extra.pattern:find_all(s)
  if #hits == 0 then
    return s, 0
  end
  local parts, pieces, found = extra.pattern:split(s), {}, 0
  if #parts ~= #hits + 1 then -- some matched nothing, as \b does
    return extra.pattern:replace(s, extra.mark), #hits
  end
  for i, part in ipairs(parts) do
    pieces[#pieces + 1] = part
    if hits[i] and allowed(hits[i]) then
      pieces[#pieces + 1] = hits[i]
    elseif hits[i] then
      pieces[#pieces + 1] = extra.mark
      found = found + 1
    end
  end
  return table.concat(pieces), found
end

-- The most bytes that are examined; a hook has no time and no answer for much more.
local LONGEST = 6 * 1024 * 1024
local NEAR = 4096

-- A place to cut a text that doesn't split a word.
local function border(s, at)
  local blank = s:sub(at - NEAR + 1, at):match("^.*()%s")
  return blank and at - NEAR + blank or at - NEAR
end

-- fit replaces parts that are too long to be examined with a note. It returns the value and how many bytes were
-- left out.
function cleaner.fit(value)
  local room, left_out = LONGEST, 0
  value = each_text(value, function(s)
    if #s <= room then
      room = room - #s
      return s
    end
    local kept = room > NEAR and border(s, room) or 0
    room, left_out = 0, left_out + #s - kept
    return ("%s[left out: %d bytes, too long to be searched for secrets]"):format(s:sub(1, kept), #s - kept)
  end)
  return value, left_out
end

-- open returns a function that cleans a value: the value without its secrets, and {count, kinds}; nil if there
-- are none.
function cleaner.open(settings)
  local function allowed(secret)
    for _, pattern in ipairs(settings.allow) do
      if pattern:match(secret) then
        return true
      end
    end
    return false
  end

  return function(value)
    local before = marks_of(value)
    local count = 0
    for _, extra in ipairs(settings.extra) do
      value = each_text(value, function(s)
        local clean, found = replace(s, extra, allowed)
        count = count + found
        return clean
      end)
    end
    local clean, found = redact.report(value, { keep = settings.allow })
    count = count + found
    if count == 0 then
      return nil
    end
    local kinds = marks_of(clean)
    for kind, n in pairs(before) do
      local added = (kinds[kind] or 0) - n
      kinds[kind] = added > 0 and added or nil
    end
    return clean, { count = count, kinds = kinds }
  end
end

-- told describes how many secrets of which kinds there were: "2 secrets (aws key, password)".
function cleaner.told(found)
  local kinds = {}
  for kind in pairs(found.kinds) do
    kinds[#kinds + 1] = kind
  end
  table.sort(kinds)
  local line = ("%d secret%s"):format(found.count, found.count == 1 and "" or "s")
  if #kinds > 6 then
    kinds[6], kinds[7] = ("%d more kinds"):format(#kinds - 5), nil
    return ("%s (%s)"):format(line, table.concat(kinds, ", ", 1, 6))
  elseif #kinds > 0 then
    return ("%s (%s)"):format(line, table.concat(kinds, ", "))
  end
  return line
end

return cleaner
