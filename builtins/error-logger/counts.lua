-- What is remembered of a task: how often it failed, with what errors, and which calls.
--
-- A task is one value of the store, so that each change is one atomic step:
--   n, first, last   failures, and the times of the first and the last
--   errors           by fingerprint: {n, first, last, call}, call the last that failed with it
--   calls            by call: {n, at, change, error, text}
--   change           increases whenever another try may be worthwhile
--   seen             ids of the latest calls that were counted

local newest = require("newest")

local counts = {}
counts.__index = counts

local PREFIX = "task:"

-- This many are kept of one task; the oldest goes first.
local MOST_ERRORS, MOST_CALLS, MOST_SEEN = 20, 30, 10

-- of returns the memory of an event's task.
function counts.of(ev, settings)
  local name = "project"
  if ev.issue_id and ev.issue_id ~= "" then
    name = "issue:" .. ev.issue_id
  elseif ev.session_id and ev.session_id ~= "" then
    name = "session:" .. ev.session_id
  end
  return setmetatable({ key = PREFIX .. hash.sha256(name):sub(1, 24), ttl = settings.ttl, now = time.now() }, counts)
end

local function fresh(task, now, ttl)
  if type(task) ~= "table" or type(task.errors) ~= "table" or type(task.calls) ~= "table" or type(task.last) ~= "number" or now - task.last > ttl then
    return { n = 0, first = now, last = now, change = 0, errors = {}, calls = {}, seen = json.array() }
  end
  return task
end

-- sweep frees space: it drops expired tasks and the older half of the others.
function counts:sweep()
  local kept = {}
  for _, key in ipairs(store.list(PREFIX)) do
    local task = store.get(key)
    if type(task) ~= "table" or type(task.last) ~= "number" or self.now - task.last > self.ttl then
      store.delete(key)
    elseif key ~= self.key then
      kept[#kept + 1] = { key = key, last = task.last }
    end
  end
  table.sort(kept, function(a, b)
    return a.last < b.last
  end)
  for i = 1, math.ceil(#kept / 2) do
    store.delete(kept[i].key)
  end
end

-- try runs a function that uses the store; nil and why if the store can't be reached.
local function try(fn)
  local ok, result = pcall(fn)
  if ok then
    return result
  end
  return nil, text.truncate((tostring(result):gsub("^builtin:%S+:%d+: ", "")), 300)
end

-- update changes the task; nil and why if the store can't be reached.
function counts:update(change)
  local function step()
    return store.update(self.key, function(task)
      task = fresh(task, self.now, self.ttl)
      change(task)
      return task
    end, { ttl = self.ttl })
  end
  local task, problem = try(step)
  if task then
    return task
  end
  try(function() -- it may be full
    self:sweep()
    return true
  end)
  local again = try(step)
  return again, problem
end

-- look returns the task as it is, nil if there is none.
function counts:look()
  local task, problem = try(function()
    return store.get(self.key) or false
  end)
  if not task then
    return nil, problem
  end
  return fresh(task, self.now, self.ttl)
end

-- failed counts a failure. id is that of the call, or nil: a call that was counted under another event is not
-- counted again. call is the hash of the call, or nil.
function counts:failed(fingerprint, id, call)
  id = id and hash.sha256(id):sub(1, 12)
  return self:update(function(task)
    for _, seen in ipairs(task.seen) do
      if id == seen then
        return
      end
    end
    if id then
      task.seen[#task.seen + 1] = id
      while #task.seen > MOST_SEEN do
        table.remove(task.seen, 1)
      end
    end
    task.n, task.last = task.n + 1, self.now
    local same = task.errors[fingerprint] or { n = 0, first = self.now }
    same.n, same.last = same.n + 1, self.now
    if call then
      same.call = call
    end
    task.errors[fingerprint] = same
    newest.keep(task.errors, MOST_ERRORS, function(e)
      return e.last
    end)
  end)
end

-- call_failed notes that a call has failed, and with which error.
function counts:call_failed(call, fingerprint, excerpt)
  return self:update(function(task)
    local entry = task.calls[call]
    if not entry or entry.change ~= task.change then
      entry = { n = 0, change = task.change }
    end
    entry.n, entry.at, entry.error, entry.text = entry.n + 1, self.now, fingerprint, excerpt
    task.calls[call], task.last = entry, self.now
    newest.keep(task.calls, MOST_CALLS, function(c)
      return c.at
    end)
  end)
end

-- succeeded forgets that a call has failed, and the errors that it failed with; with changes it allows another
-- try of all calls. If nothing has failed it only reads.
function counts:succeeded(call, changes)
  local task, problem = self:look()
  if not task then
    return nil, problem
  end
  local failed = task.calls[call] ~= nil
  for _, same in pairs(task.errors) do
    failed = failed or same.call == call
  end
  if not failed and not (changes and next(task.calls)) then
    return task
  end
  return self:update(function(current)
    local entry = current.calls[call]
    if entry then
      current.errors[entry.error] = nil
      current.calls[call] = nil
    end
    for fingerprint, same in pairs(current.errors) do
      if same.call == call then
        current.errors[fingerprint] = nil
      end
    end
    if changes then
      current.change = current.change + 1
    end
  end)
end

-- changed allows another try of all calls.
function counts:changed()
  local task, problem = self:look()
  if not task or not next(task.calls) then
    return task, problem
  end
  return self:update(function(current)
    current.change = current.change + 1
  end)
end

return counts
