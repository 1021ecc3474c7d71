-- The usage so far, in the store: a record for the session and one for the days, months and all time. Each is
-- one key, changed in one step, so that concurrent processes lose nothing.

local money = require("money")
local prices = require("prices")

local SESSION_TTL = 30 * 86400 -- seconds after its last report
local UNNAMED_SECONDS = 12 * 3600
local MOST_NAMES = 40       -- of models or agents; the rest is "other"

local ledger = {}

local function sum(a, b)
  return math.min((a or 0) + b, money.MOST)
end

local function add(account, part)
  account.calls = sum(account.calls, part.calls)
  account.silent = sum(account.silent, part.silent)
  account.input = sum(account.input, part.input)
  account.output = sum(account.output, part.output)
  account.cache = sum(account.cache, part.cache)
  account.amount = sum(account.amount, part.amount)
  account.unpriced = sum(account.unpriced, part.unpriced)
  return account
end

local function tokens(account)
  return (account.input or 0) + (account.output or 0) + (account.cache or 0)
end
ledger.tokens = tokens

-- Adds to the counts by name; a name may be missing, or any text.
local function add_named(accounts, name, part)
  name = text.truncate(name or "unknown", 80)
  if not accounts[name] then
    local n = 0
    for _ in pairs(accounts) do
      n = n + 1
    end
    if n >= MOST_NAMES then
      name = "other"
    end
  end
  local account = accounts[name] or { calls = 0, tokens = 0, amount = 0 }
  account.calls = sum(account.calls, part.calls)
  account.tokens = sum(account.tokens, tokens(part))
  account.amount = sum(account.amount, part.amount)
  accounts[name] = account
end

-- The priced part that a report adds to the counts. For a whole session that is only what hasn't been counted
-- call by call.
local function part_of(report, counted)
  local used = report.used
  local part = { calls = report.calls, silent = used and 0 or report.calls, input = 0, output = 0, cache = 0, amount = 0, unpriced = 0 }
  if not used then
    return part
  end
  for _, kind in ipairs({ "input", "output", "cache" }) do
    part[kind] = report.whole and math.max(0, used[kind] - (counted[kind] or 0)) or used[kind]
  end
  if used.amount then
    part.amount = report.whole and math.max(0, used.amount - (counted.amount or 0)) or used.amount
    part.unpriced = report.whole and -(counted.unpriced or 0) or 0 -- the host's total includes them
  elseif report.price then
    part.amount = math.min(prices.cost(report.price, part), money.MOST)
  else
    part.unpriced = tokens(part)
  end
  return part
end

local function session_of(ev)
  if ev.session_id then
    return store.session, "usage", { ttl = SESSION_TTL }
  end
  return store, "unnamed session", nil
end

-- A host that names no session has one at a time; an old record belongs to an earlier one.
local function current(record, ev)
  if not record or (not ev.session_id and time.now() - (record.at or 0) > UNNAMED_SECONDS) then
    return { models = {}, agents = {}, told = {} }
  end
  return record
end

function ledger.session(ev)
  local place, key = session_of(ev)
  return current(place.get(key), ev)
end

-- forget begins a new session if sessions have no names.
function ledger.forget(ev)
  if not ev.session_id then
    store.delete("unnamed session")
  end
end

-- change_session changes the record of the session in one step; change may be called again.
local function change_session(ev, change)
  local place, key, options = session_of(ev)
  return place.update(key, function(record)
    record = current(record, ev)
    record.at = math.floor(time.now())
    return change(record)
  end, options)
end

-- count adds a report {used, whole, calls, price} to the session of an event and returns the session's record
-- and what was added.
function ledger.count(ev, report)
  local part
  local record = change_session(ev, function(record)
    part = part_of(report, record)
    add(record, part)
    if tokens(part) > 0 or part.amount > 0 then
      add_named(record.models, ev.model, part)
      add_named(record.agents, ev.agent_id or "main", part)
    end
    return record
  end)
  return record, part
end

local function days_apart(a, b)
  return math.abs(time.parse(a .. "T00:00:00Z") - time.parse(b .. "T00:00:00Z")) / 86400
end

-- roll begins a new day and month. Machines whose clocks differ by a little count in the later day; a day far in
-- the future comes from a wrong clock.
local function roll(record)
  local today = time.date("!%F")
  record.total, record.told = record.total or {}, record.told or {}
  if not record.day or today > record.day.date or days_apart(today, record.day.date) > 1 then
    record.day = { date = today }
  end
  local month = record.day.date:sub(1, 7)
  if not record.month or record.month.date ~= month then
    record.month = { date = month }
  end
  return record
end

local function place_of_totals(settings)
  return settings.totals == "user" and store.user or store
end

-- totals returns the record of days, months and all time: {day, month, total, told}.
function ledger.totals(settings)
  return roll(place_of_totals(settings).get("totals") or {})
end

function ledger.add_to_totals(settings, part)
  return place_of_totals(settings).update("totals", function(record)
    record = roll(record or {})
    add(record.day, part)
    add(record.month, part)
    add(record.total, part)
    return record
  end)
end

-- first_time reports whether something hasn't been told yet in a period, and notes that it now is.
function ledger.first_time(settings, ev, period, thing, when)
  local first
  local function note(record)
    record.told = record.told or {}
    first = record.told[thing] ~= when
    record.told[thing] = when
    return record
  end
  if period == "session" then
    change_session(ev, note)
  else
    place_of_totals(settings).update("totals", function(record)
      return note(roll(record or {}))
    end)
  end
  return first
end

return ledger
