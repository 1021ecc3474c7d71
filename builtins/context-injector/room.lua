-- Divides space, in bytes, and shortens lists to it.

local room = {}

-- Divides by weight: of four parts 5, 4, 3 and 2. Space that one doesn't need goes to the others.
local function by_weight(total, wishes)
  local parts, weights, open = {}, 0, {}
  for i = 1, #wishes do
    open[i] = #wishes - i + 2
    weights = weights + open[i]
  end
  local left, changed = total, true
  while changed do
    changed = false
    local rest, rest_weights = left, weights
    for i = 1, #wishes do
      if open[i] and wishes[i] <= rest * open[i] / rest_weights then
        parts[i], left, weights, open[i], changed = wishes[i], left - wishes[i], weights - open[i], nil, true
      end
    end
  end
  for i = 1, #wishes do
    parts[i] = parts[i] or math.floor(left * open[i] / weights)
  end
  return parts
end

-- share returns the part of the space for each of several wishes. If there isn't enough, earlier ones get more.
-- A part that is neither the whole wish nor at least the given minimum is useless: it becomes 0, and the others
-- get it.
function room.share(total, wishes, least)
  local asked = {}
  for i, wish in ipairs(wishes) do
    asked[i] = wish
  end
  for _ = 1, #wishes + 1 do
    local parts, useless = by_weight(total, asked), nil
    for i, part in ipairs(parts) do
      if part < asked[i] and part < least then
        useless = i
      end
    end
    if not useless then
      return parts
    end
    asked[useless] = 0
  end
end

-- count returns a number with a noun: 1 file, 2 files.
function room.count(n, noun)
  return ("%d %s%s"):format(n, noun, n == 1 and "" or "s")
end

-- fit returns the lines of a list that fit, with a line that says how many are left out; hidden are those that
-- weren't in the list to begin with. The second result is how many fit. The result is nil if not even that line
-- fits.
function room.fit(lines, limit, noun, hidden)
  local used, kept = 0, 0
  local function rest(n)
    return ("... and %d more %s"):format(n, n == 1 and noun or noun .. "s")
  end
  hidden = hidden or 0
  local last = #rest(#lines + hidden) + 1
  for i, line in ipairs(lines) do
    local more = #lines - i + hidden
    if used + #line + 1 + (more > 0 and last or 0) <= limit then
      kept = i
    end
    used = used + #line + 1
    if used > limit then
      break
    end
  end
  local list = {}
  for i = 1, kept do
    list[i] = lines[i]
  end
  local left = #lines - kept + hidden
  if left > 0 then
    list[#list + 1] = rest(left)
  end
  local text = table.concat(list, "\n")
  if #text + 1 > limit then
    return nil
  end
  return text, kept
end

-- size returns a number of bytes for people.
function room.size(bytes)
  if bytes < 10240 then
    return room.count(bytes, "byte")
  end
  return ("%d KiB"):format(math.floor(bytes / 1024))
end

return room
