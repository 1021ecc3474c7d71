-- The texts in a tool's output, which may be a text or a table of the host's.

local texts = {}

-- Outputs of hosts and MCP servers are small tables; of a large one only the beginning is used.
local MOST, DEEPEST = 5000, 20

local BINARY = { image = true, audio = true, video = true, base64 = true }

-- Whether the data in a table is an image or the like.
local function binary(t)
  local media = t.mimeType or t.mime_type or t.media_type
  return BINARY[t.type] or t.encoding == "base64" or (type(media) == "string" and not media:find("^text/") and not media:find("json", 1, true) and not media:find("xml", 1, true))
end

local function collect(found, holder, depth)
  local skip = binary(holder)
  for key, value in pairs(holder) do
    if #found >= MOST then
      return
    elseif type(value) == "table" and depth < DEEPEST then
      collect(found, value, depth + 1)
    elseif type(value) == "string" and key ~= "blob" and key ~= "type" and not (skip and key == "data") and not text.starts_with(value, "data:") then
      found[#found + 1] = { holder = holder, key = key, text = value, full = value }
    end
  end
end

-- of lists the texts of an output: where each is, what it is now and what it was. The second value has the
-- output as a whole.
function texts.of(output)
  local whole = { output = output }
  local found = {}
  if type(output) == "string" then
    found[1] = { holder = whole, key = "output", text = output, full = output }
  elseif type(output) == "table" then
    collect(found, output, 1)
  end
  return found, whole
end

-- changed lists those that have changed or will.
function texts.changed(found, long)
  local list, listed = {}, {}
  for _, place in ipairs(long) do
    listed[place] = true
  end
  for _, place in ipairs(found) do
    if listed[place] or place.text ~= place.full then
      list[#list + 1] = place
    end
  end
  return list
end

-- put writes the texts into the output, and reports whether that changes it.
function texts.put(found)
  local changes = false
  for _, place in ipairs(found) do
    if place.text ~= place.full then
      place.holder[place.key] = place.text
      changes = true
    end
  end
  return changes
end

-- shares returns how much of the space each of some texts may take, by a measure of them: short ones get what
-- they have, long ones equal parts of the rest.
function texts.shares(found, measure, room)
  local order = {}
  for i, place in ipairs(found) do
    order[i] = place
  end
  table.sort(order, function(a, b)
    return a[measure] < b[measure]
  end)
  local shares = {}
  for i, place in ipairs(order) do
    shares[place] = math.min(place[measure], math.floor(room / (#order - i + 1)))
    room = room - shares[place]
  end
  return shares
end

return texts
