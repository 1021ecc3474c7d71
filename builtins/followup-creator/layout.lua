-- The layout of an answer as Markdown: fences, quotations, headings, list items, paragraphs. All of it is
-- determined from single lines and their neighbours.

local layout = {}
layout.__index = layout

local MOST_LINES = 30   -- of a paragraph, before and after the examined line
local MOST_BYTES = 2000 -- of a heading or a row of a table
local MOST_ITEMS = 300  -- of a list below a heading

-- page is a text as a list of lines.
function layout.page(lines)
  return setmetatable({ lines = lines, fence_of = nil }, layout)
end

-- marker returns the indentation of a list item and the text after its marker; nil if the line isn't one.
local function marker(line)
  local indent, rest = line:match("^(%s*)[-*+]%s+(%S.*)$")
  if not indent then
    indent, rest = line:match("^(%s*)%d+[.)]%s+(%S.*)$")
  end
  if not indent then
    indent, rest = line:match("^(%s*)•%s*(%S.*)$")
  end
  if not indent then
    indent, rest = line:match("^(%s*)–%s+(%S.*)$")
  end
  if not indent then
    indent, rest = line:match("^(%s*)(%[[ xX]%]%s+%S.*)$")
  end
  if not indent and (line:find("^%s*☐") or line:find("^%s*⬜")) then
    indent, rest = line:match("^(%s*)(.*)$")
  end
  return indent and #indent, rest
end

local function opens_fence(line)
  local ticks, info = line:match("^[-*+>%s]*(```+)(.*)$")
  if ticks and not info:find("`", 1, true) then
    return ticks
  end
  return line:match("^[-*+>%s]*(~~~+)")
end

local function kind_of(line)
  local first = line:match("%S")
  if not first then
    return "blank"
  elseif first:find("%a") then
    return "text"
  elseif line:find("^%s*>") then
    return "quote"
  elseif opens_fence(line) then
    return "fence"
  elseif line:find("^%s?%s?%s?#+%s") then
    return "heading"
  elseif line:find("^%s*|") then
    return "row"
  elseif marker(line) then
    return "item"
  elseif line:find("^%s*[-*_=]+%s*$") then
    return "rule"
  end
  return "text"
end

-- fence reports whether a line is in a fence, or begins or ends one. It must be called in the order of the
-- lines, for each line that may begin or end one.
function layout:fence(number)
  local line = self.lines[number]
  if not self.fence_of then
    self.fence_of = opens_fence(line)
    return self.fence_of ~= nil
  end
  local close = line:match("^[%s>]*(```+)%s*$") or line:match("^[%s>]*(~~~+)%s*$")
  if close and close:sub(1, 1) == self.fence_of:sub(1, 1) and #close >= #self.fence_of then
    self.fence_of = nil
  end
  return true
end

-- removed reports whether a line is one that a diff removes.
local function removed(line)
  return line:find("^%-[^%s%-*]") or line:find("^%-%s+//") or line:find("^%-%s*/%*") or line:find("^%-%s+#%s") or line:find("^%-%s+%-%-")
end

-- indented reports whether a line is in a block of indented code: after a blank line, and not in an item.
function layout:indented(number)
  if not self.lines[number]:find("^    ") and not self.lines[number]:find("^\t") then
    return false
  end
  for i = number - 1, math.max(1, number - MOST_LINES), -1 do
    local kind = kind_of(self.lines[i])
    if kind == "item" then
      return false
    elseif kind ~= "blank" then
      return self.lines[i + 1]:find("^%s*$") ~= nil
    end
  end
  return true
end

-- joined returns the words of a line and of those that continue it, and the line after.
function layout:joined(first, words)
  local parts, after = { words }, first + 1
  while self.lines[after] and after - first < 2 * MOST_LINES and kind_of(self.lines[after]) == "text" do
    parts[#parts + 1] = self.lines[after]
    after = after + 1
  end
  return table.concat(parts, "\n"), after
end

-- checked returns the words of an item after its box, and the state of the box: open, done or nil.
local function checked(words)
  local mark, rest = words:match("^%[(.)%]%s+(.*)$")
  if mark then
    return rest, mark == " " and "open" or "done"
  end
  for _, box in ipairs({ "☐", "⬜" }) do
    if text.starts_with(words, box) then
      return (words:sub(#box + 1):gsub("^️", "")), "open"
    end
  end
  for _, box in ipairs({ "☑", "☒", "✅", "✔", "✓" }) do
    if text.starts_with(words, box) then
      return words, "done"
    end
  end
  return words
end

-- item returns the item that begins at a line.
function layout:item(number)
  local indent, words = marker(self.lines[number])
  local said, state = checked(words)
  local joined, after = self:joined(number, said)
  return { text = joined, line = number, after = after, indent = indent, open = state == "open", done = state == "done" }
end

-- short returns a line of one row or heading, with single blanks.
local function short(line)
  return text.trim((text.truncate(line, MOST_BYTES, ""):gsub("%s+", " ")))
end

-- block returns the block of a line, which begins no earlier than from: {text, line, after} and heading, open
-- (an unticked box) or done (a ticked one). nil if the line is quoted, code, or removed by a diff.
function layout:block(number, from)
  local first = number
  while kind_of(self.lines[first]) == "text" and first > from and number - first < MOST_LINES do
    local above = kind_of(self.lines[first - 1])
    if above ~= "text" and above ~= "item" then
      break
    end
    first = first - 1
  end
  local line = self.lines[first]
  local kind = kind_of(line)
  if kind == "quote" or kind == "fence" or removed(self.lines[number]) or removed(line) then
    return nil
  elseif kind == "item" then
    return self:item(first)
  elseif kind == "heading" then
    return { text = short(line):match("^%s?#+%s?(.*)$"):gsub("%s#+$", ""), line = first, after = first + 1, heading = true }
  elseif kind == "row" then
    return { text = short(line):match("^|%s?(.*)$"):gsub("%s?|$", ""):gsub("%s?|%s?", ": "), line = first, after = first + 1, row = true }
  elseif self:indented(first) then
    return nil
  end
  local joined, after = self:joined(first, line)
  return { text = joined, line = first, after = after }
end

-- items returns the outer items of the list that begins at a line or after the blank lines there, each as item
-- returns it, and the line after the list. Without a list that line is from.
function layout:items(from)
  local list, at, indent = {}, from, nil
  while self.lines[at] and #list < MOST_ITEMS do
    local line = self.lines[at]
    local kind = kind_of(line)
    if kind == "item" then
      local item = self:item(at)
      indent = indent or item.indent
      if item.indent < indent then
        break
      elseif item.indent <= indent + 1 then
        list[#list + 1] = item
      end
      at = item.after
    elseif kind == "blank" and (indent or at - from < 2) then
      at = at + 1
    else
      break
    end
  end
  if #list == 0 then
    return list, from
  end
  return list, at
end

-- below returns the paragraph below a line that announces it, after blank lines or an underline: its words, its
-- line, and the line after; nil if something else follows.
function layout:below(from)
  local at = from
  if self.lines[at] and self.lines[at]:find("^%s?%s?%s?[-=][-=]+%s*$") then
    at = at + 1
  end
  while self.lines[at] and at - from < 3 and kind_of(self.lines[at]) == "blank" do
    at = at + 1
  end
  if not self.lines[at] or kind_of(self.lines[at]) ~= "text" or self:indented(at) then
    return nil
  end
  local words, after = self:joined(at, self.lines[at])
  return words, at, after
end

return layout
