-- The conditions of rules that a table can express.
--
--   words     the operands begin with one of these: "volume rm", "* delete-*" (* is part of a word)
--   flag      one of these options is given
--   flags     one of each of these lists is given
--   unless    none of these options is given
--   operand   an operand after the words (all, without words) matches this regular expression
--   also      a function(cmd, scene) that must agree, too
--
-- Without operand the detail is the words that matched.

local match = {}

local function pattern(words)
  local alternatives = {}
  for i, w in ipairs(words) do
    alternatives[i] = re.replace(re.quote(w), [[\\\*]], [[\S*]])
  end
  return re.compile("^(?:" .. table.concat(alternatives, "|") .. ")(?: |$)")
end

local function any_flag(cmd, names)
  return cmd:flag(unpack(names)) ~= false
end

local KNOWN = { words = true, flag = true, flags = true, unless = true, operand = true, also = true }

-- The operands of the last judged command: several rules ask for them in turn.
local last, last_operands, last_line

local function operands_of(cmd)
  if cmd ~= last then
    last, last_operands = cmd, cmd:operands()
    last_line = table.concat(last_operands, " ")
  end
  return last_operands, last_line
end

function match.compile(when)
  for key in pairs(when) do
    if not KNOWN[key] then
      error(("a rule's when has no %q"):format(key))
    end
  end
  local words, operand, ready
  return function(cmd, scene)
    if not ready then -- only now: most rules are never asked
      words, operand, ready = when.words and pattern(when.words), when.operand and re.compile(when.operand), true
    end
    local detail = true
    if words or operand then
      local operands, line = operands_of(cmd)
      if words then
        detail = words:find(line)
        if not detail then
          return nil
        end
        detail = text.trim(detail)
      end
      if operand then
        local skip = words and #text.split(detail, " ") or 0
        local found
        for i = skip + 1, #operands do
          if operand:match(operands[i]) then
            found = operands[i]
            break
          end
        end
        if not found then
          return nil
        end
        detail = found
      end
    end
    if when.unless and any_flag(cmd, when.unless) or when.flag and not any_flag(cmd, when.flag) then
      return nil
    end
    for _, names in ipairs(when.flags or {}) do
      if not any_flag(cmd, names) then
        return nil
      end
    end
    if when.also then
      local also = when.also(cmd, scene)
      if not also then
        return nil
      elseif type(also) == "string" then
        detail = also
      end
    end
    return detail
  end
end

return match
