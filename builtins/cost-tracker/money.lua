-- Money is counted in whole billionths of a dollar, because sums of fractions drift; a Lua number holds some
-- nine million dollars of them exactly.

local money = { PER_DOLLAR = 1e9, MOST = 9e15 }

function money.of(dollars)
  return math.floor(dollars * money.PER_DOLLAR + 0.5)
end

function money.dollars(amount)
  return amount / money.PER_DOLLAR
end

-- grouped writes 1234567 as "1,234,567".
function money.grouped(number)
  local text = ("%.0f"):format(number)
  local head = #text % 3
  local groups = { head > 0 and text:sub(1, head) or nil }
  for i = head + 1, #text, 3 do
    groups[#groups + 1] = text:sub(i, i + 2)
  end
  return table.concat(groups, ",")
end

-- shown writes an amount as people do: "$1,204.50", and small ones with all their places, "$0.0042".
function money.shown(amount)
  local dollars = money.dollars(amount)
  if amount > 0 and dollars < 0.0001 then
    return "less than $0.0001"
  end
  local text = ("%.2f"):format(dollars)
  if dollars < 0.1 and amount > 0 then
    text = ("%.4f"):format(dollars)
  end
  local whole, places = text:match("^(%d+)(%.%d+)$")
  return "$" .. money.grouped(tonumber(whole)) .. places
end

return money
