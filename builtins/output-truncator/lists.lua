-- Lists of many short texts, as in answers of MCP servers and search tools. Fewer items are kept, since none of
-- them alone has anything to cut.

local lists = {}

local DEEPEST = 20

local function text_of(item)
  if type(item) == "table" and item.type == "text" then
    item = item.text
  end
  return type(item) == "string" and item or nil
end

-- marker returns an item that replaces the missing ones, in their shape.
local function marker(item, count, bytes)
  local line = ("[... %d items (%d bytes) cut ...]"):format(count, bytes)
  return type(item) == "table" and { type = "text", text = line } or line
end

-- fitting returns how many items from one end fit.
local function fitting(list, from, step, bytes, most)
  local n = 0
  while n < most do
    bytes = bytes - #text_of(list[from + step * n])
    if bytes < 0 then
      break
    end
    n = n + 1
  end
  return n
end

-- thin shortens a list of texts: its beginning and end stay, with a marker between. It takes share of the space;
-- it does nothing if the value isn't such a list.
local function thin(list, limits, share)
  local bytes = 0
  for i = 1, #list do
    local s = text_of(list[i])
    if not s then
      return
    end
    bytes = bytes + #s
  end
  local room, items = limits.max_bytes * share(bytes) - 60, limits.max_lines * share(bytes) - 1
  local sides = limits.head + limits.tail
  local head = sides == 0 and 0 or limits.head / sides
  local first = fitting(list, 1, 1, room * head, math.floor(items * head))
  local last = fitting(list, #list, -1, room * (1 - head), math.min(math.floor(items * (1 - head)), #list - first))
  local gone = #list - first - last
  if gone < 2 then
    return
  end
  for i = first + 1, #list - last do
    bytes = i == first + 1 and 0 or bytes
    bytes = bytes + #text_of(list[i])
  end
  local left = json.array()
  for i = 1, first do
    left[i] = list[i]
  end
  left[first + 1] = marker(list[1], gone, bytes)
  for i = #list - last + 1, #list do
    left[#left + 1] = list[i]
  end
  return left, gone
end

-- shorten returns the output with its lists of texts thinned, and how many items were dropped. total is how many
-- bytes of text the output has.
function lists.shorten(output, limits, total, depth)
  depth = depth or 1
  if type(output) ~= "table" or depth > DEEPEST then
    return output, 0
  end
  if #output > 1 then
    local left, gone = thin(output, limits, function(bytes)
      return math.min(1, bytes / math.max(total, 1))
    end)
    if left then
      return left, gone
    end
  end
  local gone = 0
  for key, value in pairs(output) do
    if type(value) == "table" then
      local new, n = lists.shorten(value, limits, total, depth + 1)
      if n > 0 then
        output[key], gone = new, gone + n
      end
    end
  end
  return output, gone
end

return lists
