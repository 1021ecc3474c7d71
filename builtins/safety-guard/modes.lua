-- The meaning of the modes of chmod, mkdir and install.

local modes = {}

-- A mode as chmod reads it: {special, user, group, other} of an octal one, or the clauses of a symbolic one,
-- {who, op, what}.
local OCTAL = patterns.later([[^[=+-]?0*[0-7]{1,4}$]])
local CLAUSES = patterns.later([[^[ugoa]*([=+-][rwxXstugo]*)+(,[ugoa]*([=+-][rwxXstugo]*)+)*$]])

local function octal(mode)
  local digits = ("0000" .. mode:gsub("^[=+-]", "")):sub(-4)
  return { special = tonumber(digits:sub(1, 1)), user = tonumber(digits:sub(2, 2)), other = tonumber(digits:sub(4, 4)) }
end

local function clauses(mode)
  local list = {}
  for _, clause in ipairs(text.split(mode, ",")) do
    local who = clause:match("^[ugoa]*")
    for op, what in clause:sub(#who + 1):gmatch("([=+-])([rwxXstugo]*)") do
      list[#list + 1] = { who = who, op = op, what = what }
    end
  end
  return list
end

-- The words of chmod that are its mode: the first operand, a mode such as 777 in a wrong place, and -rwx, which
-- looks like an option.
local function given(cmd)
  if cmd.name == "mkdir" or cmd.name == "install" then
    local mode = cmd:flag("-m", "--mode")
    return type(mode) == "string" and (OCTAL:match(mode) or CLAUSES:match(mode)) and { mode } or {}
  end
  local list = {}
  for i, operand in ipairs(cmd:operands()) do
    if OCTAL:match(operand) and (i == 1 or #operand >= 3 and #list == 0) or i == 1 and CLAUSES:match(operand) then
      list[#list + 1] = operand
    end
  end
  for _, word in ipairs(cmd.args) do
    if re.match(word, "^-[rwxXst]+$") then
      list[#list + 1] = word
    end
  end
  return list
end

-- any returns the first mode for which one of the two functions returns true.
function modes.any(cmd, of_octal, of_clause)
  for _, mode in ipairs(given(cmd)) do
    if OCTAL:match(mode) then
      if of_octal(octal(mode), mode) then
        return mode
      end
    else
      for _, clause in ipairs(clauses(mode)) do
        if of_clause(clause) then
          return mode
        end
      end
    end
  end
end

local function has_bit(digit, bit)
  return digit % (bit * 2) >= bit
end

-- opens: everybody may write. 1777 is that of /tmp: users can't change others' files there.
function modes.opens(cmd)
  return modes.any(cmd, function(o, mode)
    return has_bit(o.other, 2) and not has_bit(o.special, 1) and mode:sub(1, 1) ~= "-"
  end, function(c)
    return c.op ~= "-" and c.who:find("[oa]") and c.what:find("w")
  end)
end

-- locks: the owner may not even read.
function modes.locks(cmd)
  return modes.any(cmd, function(o, mode)
    return mode:sub(1, 1):find("[0-7=]") and not has_bit(o.user, 4)
  end, function(c)
    return (c.who == "" or c.who:find("[ua]")) and (c.op == "-" and c.what:find("r") or c.op == "=" and not c.what:find("[rugo]"))
  end)
end

-- setuid: the file runs with its owner's rights.
function modes.setuid(cmd)
  return modes.any(cmd, function(o, mode)
    return has_bit(o.special, 4) and mode:sub(1, 1) ~= "-"
  end, function(c)
    return c.op ~= "-" and c.what:find("s") and (c.who == "" or c.who:find("[ua]"))
  end)
end

return modes
