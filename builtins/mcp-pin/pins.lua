-- What is kept of each tool, by its name: the definition that counts ("first"), and where the server gives another
-- one now, that ("now"). A definition too long to keep is known by its hash alone.

local pins = {}

-- The most bytes of a definition, as JSON, that are kept.
local MOST = 64 * 1024

local function key(name)
  return "tool:" .. hash.sha256(name)
end

-- definition returns a tool without its name, as JSON, with its hash.
local function definition(tool)
  local copy = {}
  for k, v in pairs(tool) do
    if k ~= "name" then
      copy[k] = v
    end
  end
  local encoded = json.encode(copy)
  return { hash = hash.sha256(encoded), json = #encoded <= MOST and encoded or nil }
end

local function decoded(d)
  return d.json and json.decode(d.json) or {}
end

-- what says which parts of two definitions differ.
local function what(first, now)
  if not (first.json and now.json) then
    return "its definition"
  end
  local a, b, names = decoded(first), decoded(now), {}
  for _, list in ipairs({ a, b }) do
    for name in pairs(list) do
      if json.encode({ a[name] }) ~= json.encode({ b[name] }) then
        names[name] = true
      end
    end
  end
  local list = {}
  for name in pairs(names) do
    list[#list + 1] = text.truncate(tostring(name), 40)
  end
  table.sort(list)
  return "its " .. table.concat(list, ", ", 1, math.min(#list, 6))
end

-- see notes a definition, and returns what is kept of the tool.
function pins.see(tool)
  local seen = definition(tool)
  local known = store.get(key(tool.name))
  if known and known.first.hash == seen.hash and not known.now or known and known.now and known.now.hash == seen.hash then
    return known -- nothing to write
  end
  return store.update(key(tool.name), function(pin)
    pin = pin or { first = seen }
    pin.now, pin.what = nil, nil
    if pin.first.hash ~= seen.hash then
      pin.now, pin.what = seen, what(pin.first, seen)
    end
    return pin
  end)
end

-- of returns what is kept of a tool, or nil.
function pins.of(name)
  return store.get(key(name))
end

-- first_seen returns the tool as it was first seen; where that wasn't kept, without what may talk to the model.
function pins.first_seen(pin, tool)
  local as = decoded(pin.first)
  if not pin.first.json then
    as = { description = "This tool has changed since it was first seen; a person is asked about each call.", input_schema = { type = "object" } }
  end
  as.name = tool.name
  return as
end

local function quoted(value)
  local s = type(value) == "string" and value or json.encode(value)
  return '"' .. text.truncate(text.trim((s:gsub("[%c%s]+", " "))), 300) .. '"'
end

-- question is what a person is asked.
function pins.question(name, pin)
  local lines = { ("The tool %s isn't what it was when it was first seen: %s changed."):format(text.truncate(name, 100), pin.what) }
  local first, now = decoded(pin.first), decoded(pin.now)
  if first.description ~= now.description then
    lines[#lines + 1] = "Then: " .. quoted(first.description or "")
    lines[#lines + 1] = "Now: " .. quoted(now.description or "")
  end
  lines[#lines + 1] = "A yes makes the new definition the one that counts. (mcp-pin)"
  return table.concat(lines, "\n")
end

-- asked notes which definition a person is asked about.
function pins.asked(name, definition_hash)
  store.update(key(name), function(pin)
    if pin then
      pin.asked = definition_hash
    end
    return pin
  end)
end

-- accept makes the definition that was asked about the one that counts, where it is still the server's.
function pins.accept(name)
  local known = store.get(key(name))
  if not known or not known.asked then
    return
  end
  store.update(key(name), function(pin)
    if pin and pin.now and pin.now.hash == pin.asked then
      pin.first, pin.now, pin.what = pin.now, nil, nil
    end
    if pin then
      pin.asked = nil
    end
    return pin
  end)
end

return pins
