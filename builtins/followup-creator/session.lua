-- What followup-creator remembers of a session: a list of follow-ups, the oldest first, each {key, text, agent,
-- asked, task}; asked: the agent was asked to do it; task: it has one.

local KEY = "followups"
local MOST = 200 -- entries of a session
local TEXT = 200 -- bytes of an entry's text

local session = {}

local function told(problem)
  return "what was found before isn't known: " .. text.truncate(tostring(problem), 300)
end

-- past returns the session's earlier follow-ups; nil and why if the store can't be reached.
function session.past()
  local ok, list = pcall(store.session.get, KEY)
  if not ok then
    return nil, told(list)
  end
  return type(list) == "table" and list or {}
end

local function by_key(past)
  local entries = {}
  for _, entry in ipairs(past or {}) do
    entries[entry.key] = entry
  end
  return entries
end

-- match sets past, the earlier entry, of each item that has one.
function session.match(items, past)
  local entries = by_key(past)
  for _, item in ipairs(items) do
    item.past = entries[item.key]
  end
  return items
end

-- unasked returns, as items, what this agent's earlier answers have left open; the latest ones if there are more
-- than most.
function session.unasked(past, ev, most)
  local list = {}
  for _, entry in ipairs(past or {}) do
    if not entry.asked and entry.agent == ev.agent_id then
      list[#list + 1] = { key = entry.key, text = entry.text, past = entry }
    end
  end
  while #list > most do
    table.remove(list, 1)
  end
  return list
end

-- merged returns the list, updated with these items.
local function merged(list, ev, items, asked)
  local entries = by_key(list)
  local function entry_of(item)
    local entry = entries[item.key]
    if not entry then
      entry = { key = item.key, text = text.truncate(item.text, TEXT), agent = ev.agent_id }
      entries[item.key] = entry
      list[#list + 1] = entry
    end
    return entry
  end
  for _, item in ipairs(items) do
    local entry = entry_of(item)
    entry.task = entry.task or item.task
  end
  for _, item in ipairs(asked) do
    entry_of(item).asked = true
  end
  if #list <= MOST then
    return list
  end
  local latest = {}
  for i = #list - MOST + 1, #list do
    latest[#latest + 1] = list[i]
  end
  return latest
end

-- changes reports whether there is anything to remember.
local function changes(items, asked)
  for _, item in ipairs(items) do
    if not item.past or (item.task and not item.past.task) then
      return true
    end
  end
  return #asked > 0
end

-- keep remembers the items, and which of them the agent is asked about. It returns an error if that fails.
function session.keep(ev, items, asked)
  if not changes(items, asked) then
    return nil
  end
  local ok, problem = pcall(function()
    store.session.update(KEY, function(old)
      return json.array(merged(type(old) == "table" and old or {}, ev, items, asked))
    end)
  end)
  if not ok then
    return "what was found can't be remembered: " .. text.truncate(tostring(problem), 300)
  end
end

return session
