-- The project's folders and files: as deep as there is room, level by level.

local quote = require("quote")
local room = require("room")

-- git knows best what belongs to the project. Where there is none, or it has nothing here,
-- the folders are looked through.
local function tree_of(settings)
  local asked = { depth = settings.depth, entries = settings.entries, skip = settings.skip, timeout = settings.git_timeout_text }
  local tree = git.tree(asked)
  if tree and #tree.entries > 0 then
    return tree
  end
  asked.timeout = nil
  local walked, problem = fs.tree(asked)
  if not walked then
    error(problem, 0)
  end
  return walked
end

-- nodes makes of the entries, which stand in the order of a listing, a tree.
local function nodes(tree)
  local top = { depth = 0, more = tree.more, children = {} }
  local above = { [0] = top }
  for _, entry in ipairs(tree.entries) do
    local name = quote.line(entry.name, 120)
    local node = { depth = entry.depth, more = entry.more, children = {}, folder = entry.type == "folder", indent = ("  "):rep(entry.depth - 1) }
    node.open = node.folder and name .. "/" or name
    node.closed = node.folder and entry.files > 0 and ("%s (%s)"):format(node.open, room.count(entry.files, "file")) or node.open
    local siblings = above[entry.depth - 1].children
    siblings[#siblings + 1] = node
    above[entry.depth] = node
  end
  return top
end

local function more_line(n, depth)
  return ("%s... and %d more"):format(("  "):rep(depth), n)
end

-- What the lines in a folder take.
local function bytes(node)
  local sum = node.more > 0 and #more_line(node.more, node.depth) + 1 or 0
  for _, child in ipairs(node.children) do
    sum = sum + #child.indent + #child.closed + 1
  end
  return sum
end

-- unfold opens folders as long as there is room, those near the root first.
local function unfold(top, limit)
  local todo, at, left = { top }, 1, limit
  while todo[at] do
    local node = todo[at]
    at = at + 1
    local needed = bytes(node)
    if #node.children > 0 and needed <= left then
      node.unfolded = true
      left = left - needed
      for _, child in ipairs(node.children) do
        todo[#todo + 1] = child
      end
    end
  end
end

local function add_lines(node, lines)
  local files = 0
  for _, child in ipairs(node.children) do
    lines[#lines + 1] = child.indent .. (child.unfolded and child.open or child.closed)
    files = files + (child.folder and 0 or 1)
    if child.unfolded then
      files = files + add_lines(child, lines)
    end
  end
  if node.more > 0 then
    lines[#lines + 1] = more_line(node.more, node.depth)
  end
  return files
end

local LAST = 80 -- bytes that the last line takes at most

local function last_line(tree, shown)
  if not tree.complete then
    return "... and more files: there are more than could be looked at"
  elseif tree.files > shown then
    return ("... and %d more %s"):format(tree.files - shown, tree.files - shown == 1 and "file" or "files")
  end
  return ""
end

return function(settings)
  local tree = tree_of(settings)
  if #tree.entries == 0 then
    return nil
  end
  local top = nodes(tree)
  local extra = quote.overhead("files") + LAST
  local wanted = extra
  local function add_wanted(node)
    wanted = wanted + bytes(node)
    for _, child in ipairs(node.children) do
      add_wanted(child)
    end
  end
  add_wanted(top)
  return {
    wanted = wanted,
    write = function(limit)
      unfold(top, limit - extra)
      local lines = {}
      local shown = add_lines(top, lines)
      local listed
      if top.unfolded then
        listed = table.concat(lines, "\n")
      else -- not even the first level has room
        lines, shown = {}, 0
        for _, child in ipairs(top.children) do
          lines[#lines + 1] = child.closed
        end
        listed = room.fit(lines, limit - extra, "item", top.more)
        if not listed then
          return nil
        end
      end
      return quote.block("files", listed) .. last_line(tree, shown)
    end,
  }
end
