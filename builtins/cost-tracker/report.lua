-- Reports of the counts: data.cost, and a line for people.

local ledger = require("ledger")
local money = require("money")

local report = {}

local function named(accounts)
  local list = {}
  for name, account in pairs(accounts or {}) do
    list[name] = { usd = money.dollars(account.amount), tokens = account.tokens, calls = account.calls }
  end
  return list
end

-- data returns data.cost.
function report.data(session, totals)
  local cost = {
    calls = session.calls or 0,
    input_tokens = session.input or 0,
    output_tokens = session.output or 0,
    cache_tokens = session.cache or 0,
    unpriced_tokens = session.unpriced or 0,
    models = named(session.models),
    agents = named(session.agents),
  }
  for period, account in pairs({ session = session, day = totals.day, month = totals.month, total = totals.total }) do
    cost[period .. "_usd"] = money.dollars(account.amount or 0)
    cost[period .. "_tokens"] = ledger.tokens(account)
  end
  return cost
end

local function plural(n, word)
  return ("%s %s%s"):format(money.grouped(n), word, n == 1 and "" or "s")
end

-- The models of a session, the most expensive first.
local function by_model(session)
  local list = {}
  for name, account in pairs(session.models or {}) do
    list[#list + 1] = { name = name, amount = account.amount, tokens = account.tokens }
  end
  table.sort(list, function(a, b)
    if a.amount ~= b.amount then
      return a.amount > b.amount
    elseif a.tokens ~= b.tokens then
      return a.tokens > b.tokens
    end
    return a.name < b.name
  end)
  local parts = {}
  for i = 1, math.min(#list, 3) do
    local model = list[i]
    parts[i] = ("%s %s"):format(model.name, model.amount > 0 and money.shown(model.amount) or plural(model.tokens, "token"))
  end
  if #list > 3 then
    parts[4] = ("%d more"):format(#list - 3)
  end
  return #list > 1 and (" (%s)"):format(table.concat(parts, ", ")) or ""
end

-- summary returns the line at the end of a session; nil if nothing was counted.
function report.summary(session, totals)
  local tokens, calls = ledger.tokens(session), session.calls or 0
  if tokens == 0 and calls == 0 and (session.amount or 0) == 0 then
    return nil
  end
  local parts = {}
  if calls > 0 then
    parts[#parts + 1] = plural(calls, "model call")
  end
  parts[#parts + 1] = plural(tokens, "token")
  if (session.amount or 0) > 0 then
    parts[#parts + 1] = money.shown(session.amount) .. by_model(session)
  end
  local line = "cost-tracker: this session: " .. table.concat(parts, ", ")
  if (totals.total.amount or 0) > 0 then
    line = line .. ("; today %s, this month %s, in total %s"):format(money.shown(totals.day.amount or 0), money.shown(totals.month.amount or 0), money.shown(totals.total.amount))
  end
  if (session.silent or 0) > 0 then
    line = line .. ("; %s came without usage"):format(plural(session.silent, "call"))
  end
  if (session.unpriced or 0) > 0 then
    line = line .. ("; %s have no price"):format(plural(session.unpriced, "token"))
  end
  return line .. "."
end

return report
