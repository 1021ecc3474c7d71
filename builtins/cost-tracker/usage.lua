-- The usage that an event reports.

local money = require("money")

local usage = {}

-- More than this in one report is a mistake of the host, and would spoil the totals for good.
local MOST_TOKENS = 1e12
local MOST_DOLLARS = 1e6

local function possible(number, most) -- a Lua number isn't exact past 2^53
  return type(number) == "number" and number >= 0 and number <= most
end

-- of reads a report: {input, output, cache} in tokens, which don't overlap, and amount in billionths of a
-- dollar, nil if the host doesn't say. The result is nil for an empty report, and nil and the problem for an
-- impossible one.
function usage.of(ev, price)
  local reported = ev.usage
  if not reported then
    return nil
  end
  local input, output, cache, dollars = reported.input_tokens, reported.output_tokens, reported.cache_tokens, reported.cost_usd
  if input == 0 and output == 0 and cache == 0 and dollars == 0 then
    return nil
  end
  if not (possible(input, MOST_TOKENS) and possible(output, MOST_TOKENS) and possible(cache, MOST_TOKENS)) then
    return nil, ("input_tokens %s, output_tokens %s, cache_tokens %s"):format(tostring(input), tostring(output), tostring(cache))
  elseif not possible(dollars, MOST_DOLLARS) then
    return nil, "cost_usd " .. tostring(dollars)
  end
  if price and price.cache_in_input then
    input = math.max(0, input - cache)
  end
  return { input = input, output = output, cache = cache, amount = dollars > 0 and money.of(dollars) or nil }
end

return usage
