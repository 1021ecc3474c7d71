-- What is remembered: which files each session edited and when, and which commands it ran and when.
--
-- "When" is a number that increases with each edit and run in the project, of any session. A run has the number
-- of its beginning, an edit that of its end: a file that was edited while the tests ran isn't tested. A session
-- is one value of the store:
--   issue    the issue that it last worked on, as a hash
--   edited   when its last edit was, 0 for never
--   brought  when git last brought in other files, 0 for never
--   files    by name: {at, shell}; shell: git may say that it isn't one of the project's
--   more     how many edited files aren't among them
--   begun    by call: when an unfinished run began
--   runs     by command: {passed, at, why, as}; passed is when it last passed, 0 for never;
--            the others are of the latest run

local newest = require("newest")

local ledger = {}
ledger.__index = ledger

local CLOCK, PREFIX, ALONE = "clock", "session:", "session:-"

local MOST_FILES, MOST_BEGUN, MOST_SESSIONS = 50, 20, 500

local function short(value)
  return hash.sha256(value):sub(1, 24)
end

local function present(value)
  return value ~= nil and value ~= ""
end

-- of returns the ledger for an event.
function ledger.of(ev, settings)
  return setmetatable({
    key = present(ev.session_id) and PREFIX .. short(ev.session_id) or ALONE,
    alone = not present(ev.session_id),
    issue = present(ev.issue_id) and short(ev.issue_id) or nil,
    ttl = settings.remember,
  }, ledger)
end

local function fresh(session)
  if type(session) ~= "table" or type(session.files) ~= "table" then
    return { edited = 0, brought = 0, files = {}, more = 0, begun = {}, runs = {} }
  end
  return session
end

-- now returns the next moment.
function ledger.now()
  return store.incr(CLOCK)
end

local function count(entries)
  local n = 0
  for _ in pairs(entries) do
    n = n + 1
  end
  return n
end

function ledger:update(change)
  store.update(self.key, function(session)
    session = fresh(session)
    session.issue = self.issue or session.issue
    change(session)
    return session
  end, { ttl = self.ttl })
end

-- begin notes that a run has begun; call is the id of the tool call.
function ledger:begin(call)
  local at = self.now()
  self:update(function(session)
    session.begun[short(call)] = at
    newest.keep(session.begun, MOST_BEGUN, function(n)
      return n
    end)
  end)
end

local function add_files(session, names, at, shell)
  for _, name in ipairs(names) do
    name = text.truncate(name, 200)
    local known = session.files[name]
    session.files[name] = { at = at, shell = shell and (not known or known.shell) or nil }
    session.edited = math.max(session.edited, at)
  end
  local over = count(session.files) - MOST_FILES
  if over > 0 then
    session.more = session.more + over
    newest.keep(session.files, MOST_FILES, function(file)
      return file.at
    end)
  end
end

-- note records a finished call. seen has:
--   before, after  names of files that were edited before the runs of the line and after
--   brought        git has brought in files: "before", "after" or nil
--   shell          the names are those of a shell's line
--   runs           by command: {why, as}, why is "passed" or the reason that it didn't
function ledger:note(call, seen)
  local at = self.now()
  self:update(function(session)
    local begun = session.begun[short(call)] or at
    session.begun[short(call)] = nil
    local last = next(seen.runs) and begun or at -- edits of the line before its runs began are tested by them
    add_files(session, seen.before, last, seen.shell)
    add_files(session, seen.after, at + 0.5, seen.shell)
    if seen.brought then
      session.brought = math.max(session.brought, seen.brought == "after" and at + 0.5 or last)
    end
    for key, run in pairs(seen.runs) do
      local known = session.runs[key] or { passed = 0 }
      if run.why == "passed" then
        known.passed = math.max(known.passed, begun)
      elseif run.why == "failed" then
        known.passed = 0
      end
      known.at, known.why, known.as = begun, run.why, run.as
      session.runs[key] = known
    end
  end)
end

-- passed notes commands that the hook has run itself: a list of {key, at}.
function ledger:passed(runs)
  self:update(function(session)
    for _, run in ipairs(runs) do
      session.runs[run.key] = { passed = run.at, at = run.at, why = "passed", as = "" }
    end
  end)
end

local function merge(all, session)
  all.edited, all.brought, all.more = math.max(all.edited, session.edited), math.max(all.brought, session.brought), all.more + session.more
  for name, file in pairs(session.files) do
    local known = all.files[name]
    if not known or known.at < file.at then
      all.files[name] = file
    end
  end
  for key, run in pairs(session.runs) do
    local known = all.runs[key]
    if not known then
      all.runs[key] = { passed = run.passed, at = run.at, why = run.why, as = run.as }
    else
      if run.at > known.at then
        known.at, known.why, known.as = run.at, run.why, run.as
        known.passed = run.why == "failed" and 0 or math.max(known.passed, run.passed)
      elseif known.why ~= "failed" then
        known.passed = math.max(known.passed, run.passed)
      end
    end
  end
end

-- others returns the keys of the other sessions that may count.
function ledger:others()
  local keys = {}
  for _, key in ipairs((self.alone or self.issue) and store.list(PREFIX) or { ALONE }) do
    if key ~= self.key and (#keys < MOST_SESSIONS or key == ALONE) then
      keys[#keys + 1] = key
    end
  end
  return keys
end

-- all returns what counts for the event: the session itself, those without a session_id, and those of the same
-- issue; without a session_id all of them.
function ledger:all()
  local all = fresh(nil)
  merge(all, fresh(store.get(self.key)))
  for _, key in ipairs(self:others()) do
    local session = fresh(store.get(key))
    if self.alone or key == ALONE or session.issue == self.issue then
      merge(all, session)
    end
  end
  return all
end

-- forget removes names from the edited files: they aren't the project's.
function ledger.forget(all, names)
  local edited = 0
  for _, name in ipairs(names) do
    all.files[name] = nil
  end
  for _, file in pairs(all.files) do
    edited = math.max(edited, file.at)
  end
  if all.more == 0 then
    all.edited = edited
  end
end

return ledger
