-- The project's folders and files, level by level, as deep as the space allows.

local quote = require("quote")
local room = require("room")

-- Whether the folder is the user's home, or the root of the machine: that isn't a project, and its content is
-- private.
local function is_home()
  return host.root == "/" or host.root and host.root == host.home
end

-- git knows best which files belong to the project. Without git, or if it lists nothing here, the folders are
-- read. nil if there is no project.
local function tree_of(settings, git_time)
  local asked = { depth = settings.depth, entries = settings.entries, skip = settings.skip, timeout = git_time() }
  local tree = git.tree(asked)
  if tree and #tree.entries > 0 then
    return tree
  elseif is_home() then
    return nil
  end
  asked.timeout = settings.walk_timeout_text
  local walked, problem = fs.tree(asked)
  if not walked then
    error(problem, 0)
  end
  return walked
end

-- plain reports whether quote.line would leave a name unchanged.
local function plain(name)
  return #name <= 24 and not name:find("[^%w._+@~,=()%-]")
end

-- nodes builds a tree of the entries, which are in the order of a listing.
local function nodes(tree)
  local top = { depth = 0, more = tree.more, children = {} }
  local above = { [0] = top }
  for _, entry in ipairs(tree.entries) do
    local name = plain(entry.name) and entry.name or quote.line(entry.name, 120)
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

-- The bytes of the first lines in a folder, and of the line about the others.
local function bytes(node, lines)
  local left = #node.children - lines + node.more
  local sum = left > 0 and #more_line(left, node.depth) + 1 or 0
  for i = 1, lines do
    local child = node.children[i]
    sum = sum + #child.indent + #child.closed + 1
  end
  return sum
end

-- How many of the lines in a folder fit into its share; at least three as long as anything is left, or all.
local function fitting(node, share, left)
  local all = #node.children
  if bytes(node, all) <= share then
    return all
  end
  local used, lines = #more_line(all + node.more, node.depth) + 1, 0
  for i, child in ipairs(node.children) do
    used = used + #child.indent + #child.closed + 1
    if used > share then
      break
    end
    lines = i
  end
  lines = math.max(lines, math.min(3, all))
  return bytes(node, lines) <= left and lines or 0
end

-- unfold opens folders, level by level; those of a level share the remaining space.
local function unfold(top, limit)
  local level, left = { top }, limit
  while #level > 0 do
    local next_level = {}
    for i, node in ipairs(level) do
      node.lines = fitting(node, math.floor(left / (#level - i + 1)), left)
      if node.lines > 0 then
        left = left - bytes(node, node.lines)
      end
      for j = 1, node.lines do
        if #node.children[j].children > 0 then
          next_level[#next_level + 1] = node.children[j]
        end
      end
    end
    level = next_level
  end
end

local function add_lines(node, lines)
  local files = 0
  for i = 1, node.lines do
    local child = node.children[i]
    local opened = (child.lines or 0) > 0
    lines[#lines + 1] = child.indent .. (opened and child.open or child.closed)
    files = files + (child.folder and 0 or 1)
    if opened then
      files = files + add_lines(child, lines)
    end
  end
  local left = #node.children - node.lines + node.more
  if left > 0 then
    lines[#lines + 1] = more_line(left, node.depth)
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

return function(settings, _, git_time)
  local tree = tree_of(settings, git_time)
  if not tree or #tree.entries == 0 then
    return nil
  end
  local top = nodes(tree)
  local extra = quote.overhead("files") + LAST
  local wanted = extra
  local function add_wanted(node)
    wanted = wanted + bytes(node, #node.children)
    for _, child in ipairs(node.children) do
      add_wanted(child)
    end
  end
  add_wanted(top)
  return {
    wanted = wanted,
    write = function(limit)
      unfold(top, limit - extra)
      if top.lines == 0 then
        return nil
      end
      local lines = {}
      local shown = add_lines(top, lines)
      return quote.block("files", table.concat(lines, "\n")) .. last_line(tree, shown)
    end,
  }
end
