-- What the tokens of a model cost, by the option prices.

local money = require("money")
local settings = require("settings")

local KEYS = { "input", "output", "cache", "cache_in_input" }
local MOST_PRICES = 200
local MOST_DOLLARS = 1e6 -- for a million tokens

local prices = {}

local function fail(format, ...)
  error("cost-tracker: prices: " .. format:format(...), 0)
end

local function price_of(model, given)
  if type(given) ~= "table" then
    fail("%q is {input: ..., output: ...} in dollars per million tokens, got %s", model, type(given))
  end
  for key, value in pairs(given) do
    if not settings.contains(KEYS, key) then
      fail("%q has no %q%s", model, tostring(key), settings.did_you_mean(tostring(key), KEYS))
    elseif key == "cache_in_input" then
      if type(value) ~= "boolean" then
        fail("%q: cache_in_input is true or false, got %s", model, type(value))
      end
    elseif type(value) ~= "number" or not (value >= 0 and value <= MOST_DOLLARS) then
      fail("%q: %s is dollars per million tokens, from 0 on, got %s", model, key, tostring(value))
    end
  end
  if not given.input or not given.output then
    fail("%q needs input and output; 0 is a price", model)
  end
  return {
    model = model,
    input = given.input,
    output = given.output,
    cache = given.cache or given.input,
    cache_in_input = given.cache_in_input == true,
    literal = #(model:gsub("%*", "")),
    pattern = re.compile("(?is)^" .. re.quote(model):gsub("\\%*", ".*") .. "$"),
  }
end

-- open returns a function that finds the price of a model, nil if it has none.
function prices.open(given)
  local list = {}
  for model, price in pairs(given) do
    if type(model) ~= "string" or #model > 200 then
      fail("%s is not the name of a model", tostring(model):sub(1, 40))
    end
    list[#list + 1] = price_of(model, price)
  end
  if #list > MOST_PRICES then
    fail("%d prices are more than the limit of %d; join some with *", #list, MOST_PRICES)
  end
  table.sort(list, function(a, b) -- the longer the given name, the better the match
    if a.literal ~= b.literal then
      return a.literal > b.literal
    end
    return a.model < b.model
  end)
  return function(model)
    for _, price in ipairs(list) do
      if price.pattern:match(model or "") then
        return price
      end
    end
  end
end

-- cost returns the price of these tokens. A dollar per million tokens is a thousand billionths per token.
function prices.cost(price, used)
  local dollars = used.input * price.input + used.output * price.output + used.cache * price.cache
  return math.floor(dollars * (money.PER_DOLLAR / 1e6) + 0.5)
end

return prices
