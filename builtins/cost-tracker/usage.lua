-- What an event reports to have been used.

local money = require("money")

local usage = {}

-- More than this in one report is a mistake of the host, and would spoil the sums for good.
local MOST_TOKENS = 1e12
local MOST_DOLLARS = 1e6

local function possible(number, most) -- a whole number past 2^53 isn't one of Lua's
  return type(number) == "number" and number >= 0 and number <= most
end

-- of reads a report: {input, output, cache} in tokens that have nothing in common, and
-- amount in billionths of a dollar, nil where the host doesn't say. A report of nothing at
-- all is nil. One that can't be true is nil and what is wrong with it.
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
