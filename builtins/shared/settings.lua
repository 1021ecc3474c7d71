-- The options that a built-in declares in a table, from which an entry's `with` is checked here and
-- docs/builtins.md is generated.
--
--   name, help      of the built-in; help is a paragraph
--   events          those that it may be listed under in hooks.yaml, in the spelling of the docs
--   options         a list of
--     name, help    help is a sentence
--     type          text, texts, boolean, number, whole, duration (read as seconds), choice,
--                   choices, or map (a mapping of names to anything)
--     default       the value if the option isn't given; a duration is written as "10m"
--     of            the words of a choice or of choices
--     least, most   bounds of a number or a duration
--     needed        true: the option is required
--   data            what the built-in adds to data: a list of {name, type, help}
--   examples        a list of {text, with or yaml, event, gives}: see docs of the generator

local settings = {}

-- distance returns how many letters must change to turn one word into the other.
local function distance(a, b)
  local row = {}
  for j = 0, #b do
    row[j] = j
  end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local above = row[j]
      local changed = a:sub(i, i) == b:sub(j, j) and 0 or 1
      row[j] = math.min(above + 1, row[j - 1] + 1, diagonal + changed)
      diagonal = above
    end
  end
  return row[#b]
end

-- Of more names than that an error message doesn't list all.
local MANY = 40

-- did_you_mean returns the end of an error message about an unknown name.
function settings.did_you_mean(name, known)
  local best, least
  for _, candidate in ipairs(known) do
    local d = distance(name:lower():sub(1, 60), candidate)
    if not least or d < least then
      best, least = candidate, d
    end
  end
  if least and least <= math.max(2, math.floor(#name / 3)) then
    return (", did you mean %q?"):format(best)
  elseif #known > MANY then
    return ("; the nearest is %q"):format(best)
  end
  return ("; it has: %s"):format(table.concat(known, ", "))
end

-- pattern compiles a regular expression of an option; nil and the problem if it isn't valid.
function settings.pattern(source)
  local ok, result = pcall(re.compile, source)
  if ok then
    return result
  end
  return nil, (tostring(result):gsub("^.-bad argument #1 to %S+ %((.*)%)$", "%1"))
end

-- contains reports whether a list has a value.
function settings.contains(list, value)
  for _, v in ipairs(list) do
    if v == value then
      return true
    end
  end
  return false
end

local UNITS = { ms = 0.001, s = 1, m = 60, h = 3600, d = 86400 }

-- seconds reads "1h30m"; nil if it isn't a duration.
local function seconds(value)
  local sum, rest = 0, tostring(value)
  if rest == "" then
    return nil
  end
  while rest ~= "" do
    local number, unit, after = rest:match("^(%d+%.?%d*)(%a+)(.*)$")
    if not number or not UNITS[unit] then
      return nil
    end
    sum, rest = sum + tonumber(number) * UNITS[unit], after
  end
  return sum
end

local function is_list(value)
  local n = 0
  for _ in pairs(value) do
    n = n + 1
  end
  return n == #value
end

-- texts reads a list of texts; a single text stands for a list of one.
local function texts(value)
  if type(value) == "string" then
    value = { value }
  elseif type(value) ~= "table" or not is_list(value) then
    return nil, "is a list of texts, got " .. (type(value) == "table" and "a table with names" or type(value))
  end
  for i, v in ipairs(value) do
    if type(v) ~= "string" then
      return nil, (": entry %d is a text, got %s"):format(i, type(v))
    elseif text.trim(v) == "" then
      return nil, (": entry %d is empty"):format(i)
    end
  end
  return value
end

local function bounded(option, n, value)
  local least, most = option.least, option.most
  if option.type == "duration" then
    least, most = least and seconds(least), most and seconds(most)
  end
  if least and n < least then
    return nil, ("is %s, want at least %s"):format(tostring(value), tostring(option.least))
  elseif most and n > most then
    return nil, ("is %s, want at most %s"):format(tostring(value), tostring(option.most))
  end
  return n
end

local function one_of(option, value)
  if type(value) == "string" and settings.contains(option.of, value) then
    return value
  end
  return nil, ("has no %q%s"):format(tostring(value), settings.did_you_mean(tostring(value), option.of))
end

-- By the type of an option: reads a value, or returns nil and the problem.
local read = {
  text = function(_, value)
    if type(value) == "string" and text.trim(value) ~= "" then
      return value
    end
    return nil, type(value) == "string" and "is empty" or "is a text, got " .. type(value)
  end,
  texts = function(_, value)
    return texts(value)
  end,
  boolean = function(_, value)
    if type(value) == "boolean" then
      return value
    end
    return nil, "is true or false, got " .. type(value)
  end,
  number = function(option, value)
    if type(value) ~= "number" then
      return nil, "is a number, got " .. type(value)
    end
    return bounded(option, value, value)
  end,
  whole = function(option, value)
    if type(value) ~= "number" or value % 1 ~= 0 then
      return nil, "is a whole number, got " .. (type(value) == "number" and tostring(value) or type(value))
    end
    return bounded(option, value, value)
  end,
  duration = function(option, value)
    local n = type(value) == "string" and seconds(value)
    if not n then
      return nil, ('is a time like "10m", got %s'):format(tostring(value))
    end
    return bounded(option, n, value)
  end,
  choice = one_of,
  choices = function(option, value)
    local list, problem = texts(value)
    if not list then
      return nil, problem
    end
    if settings.contains(list, "all") then
      return option.of
    end
    for _, v in ipairs(list) do
      local _, unknown = one_of(option, v)
      if unknown then
        return nil, unknown
      end
    end
    return list
  end,
  map = function(_, value)
    if type(value) ~= "table" or (is_list(value) and #value > 0) then
      return nil, "is a mapping of names to values, got " .. (type(value) == "table" and "a list" or type(value))
    end
    return value
  end,
}

local function value_of(declared, option, given)
  local value, problem = read[option.type](option, given)
  if problem then
    local space = problem:sub(1, 1) == ":" and "" or " "
    error(("%s: %s%s%s"):format(declared.name, option.name, space, problem), 0)
  end
  return value
end

-- read checks the `with` of an entry in hooks.yaml and adds the defaults.
function settings.read(declared, with)
  local names, values = {}, {}
  for i, option in ipairs(declared.options) do
    names[i] = option.name
  end
  for name in pairs(with) do
    if not settings.contains(names, name) then
      error(("%s: no option %q%s"):format(declared.name, tostring(name), settings.did_you_mean(tostring(name), names)), 0)
    end
  end
  for _, option in ipairs(declared.options) do
    if with[option.name] ~= nil then
      local value = value_of(declared, option, with[option.name])
      if option.needed and type(value) == "table" and #value == 0 then
        error(("%s: %s is empty"):format(declared.name, option.name), 0)
      end
      values[option.name] = value
    elseif option.needed then
      error(("%s: %s is missing: %s"):format(declared.name, option.name, option.help), 0)
    elseif option.default ~= nil then
      values[option.name] = value_of(declared, option, option.default)
    end
  end
  return values
end

return settings
