-- Finds secrets in a text or in a table of them, and puts marks in their places.

local cleaner = {}

-- How a mark begins, which is what stands in the place of a secret; it ends with a bracket.
local OPENING = "[redacted: "

-- Gives each text in a value to change, which returns what stands there from then on. A
-- table is the hook's own copy of it, so that its shape can stay what it is.
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

-- How many marks of each kind a value has in it.
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

-- Replaces what a pattern of extra matches, but for what is allowed.
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

-- How much is looked through, in bytes; a hook has no time and no answer for much more.
local LONGEST = 6 * 1024 * 1024
local NEAR = 4096

-- Where a text can be cut before a place, so that no word is cut in two.
local function border(s, at)
  local blank = s:sub(at - NEAR + 1, at):match("^.*()%s")
  return blank and at - NEAR + blank or at - NEAR
end

-- fit leaves out what is too long to be looked through, and says so at its place. It gives
-- the value and how many bytes were left out.
function cleaner.fit(value)
  local room, left_out = LONGEST, 0
  value = each_text(value, function(s)
    if #s <= room then
      room = room - #s
      return s
    end
    local kept = room > NEAR and border(s, room) or 0
    room, left_out = 0, left_out + #s - kept
    return ("%s[left out: %d bytes, too long to be looked through for secrets]"):format(s:sub(1, kept), #s - kept)
  end)
  return value, left_out
end

-- open gives a function that cleans a value: the value without its secrets, and
-- {count, kinds}; nil where there are none.
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

-- told is how many secrets of which kinds there were, in words: "2 secrets (aws key,
-- password)".
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
