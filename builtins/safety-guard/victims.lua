-- What a command deletes, and in what kind of place.

local later = require("later")
local precious, rebuilt = later("precious"), later("rebuilt")

local victims = {}

-- Programs whose files in the model are deleted, without exception.
victims.programs = { "rm", "grm", "srm", "unlink", "rmdir", "rimraf", "del-cli", "tar", "bsdtar", "gtar", "zip" }

-- Programs that delete folders with everything in them.
local WHOLE = { rimraf = true, ["del-cli"] = true, tar = true, bsdtar = true, gtar = true, zip = true }

-- The tests of find's expression that select files by name.
local NAMES = { ["-name"] = true, ["-iname"] = true }
local PATHS = { ["-path"] = true, ["-ipath"] = true, ["-wholename"] = true }
local REGEXES = { ["-regex"] = true, ["-iregex"] = true }
-- A pattern that begins with known characters.
local PREFIX = patterns.later([[^[\w.-]{3}]])
local NEGATIONS = { ["!"] = true, ["-not"] = true }

local function says(words, word)
  for _, other in ipairs(words) do
    if other == word then
      return true
    end
  end
  return false
end

-- A pattern that doesn't stand for nearly everything, and files that only keep a folder.
local SELECTIVE = patterns.later([[^\*?[\w.@-]*\w[\w.@-]*\*?[\w.@-]*$]])
local KEEPERS = { [".gitkeep"] = true, [".gitignore"] = true, [".keep"] = true, ["README.md"] = true }

-- Whether a pattern of names selects no more than one that is_made says is made again: *.spec.snap is of *.snap, and
-- tmp_* begins as tmp_x.
local function selects_made(pattern, is_made)
  local ending = pattern:match("^%*%..*(%.%w+)$")
  return is_made(pattern) or ending and is_made("*" .. ending) or pattern ~= "*" and is_made((pattern:gsub("%*", "x"))) or false
end

-- Whether each name that find looks for is one that is_made says is made again, or find only selects empty files;
-- whether it looks for a name at all; and which names it looks for, if that is all that it selects.
local function looks_for(find, is_made)
  local harmless, named, names = nil, false, {}
  local words = find.args
  local dotnet = says(words, "bin") and says(words, "obj") -- the two that dotnet makes beside each other
  for i, word in ipairs(words) do
    local negated = NEGATIONS[words[i - 1] or ""]
    if word == "-empty" and not negated then
      return true, true, {}
    elseif negated and NAMES[word] and KEEPERS[words[i + 1] or ""] then
      names[#names + 1] = "*.*"
    elseif (NAMES[word] or PATHS[word] or REGEXES[word]) and not negated then
      local pattern = words[i + 1] or ""
      local made
      if REGEXES[word] then
        made = rebuilt.regex(pattern, is_made)
      else
        if PATHS[word] then
          pattern = text.trim(path.base(re.replace(pattern, [[(/\*)+$]], "")))
        end
        made = selects_made(pattern, is_made) or dotnet and (pattern == "bin" or pattern == "obj")
        names[#names + 1] = SELECTIVE:match(pattern) and pattern or nil
      end
      named = named or PREFIX:match(pattern)
      if harmless ~= false then
        harmless = made
      end
    elseif word == "-o" or word == "-or" or word == "," then
      -- Each branch must select a name of its own.
      local behind = words[i + 1]
      if behind == "-type" then
        behind = words[i + 3] or ""
      end
      local nested = behind == "(" or NAMES[behind] or PATHS[behind] or REGEXES[behind]
      if not nested and behind ~= "-print" then
        harmless = false
      end
    end
  end
  return harmless or false, named, names
end

local function fd_looks_for(fd, is_made)
  local extension = fd:flag("-e", "--extension")
  local word = type(extension) == "string" and extension or fd:operands()[1]
  if not word then
    return false, false, {}
  end
  word = re.replace(word, [[^\^|\$$|\\]], "")
  return is_made(word) or is_made("*." .. word) or is_made("*" .. word), true, {}
end

local FINDERS = { find = looks_for, gfind = looks_for, bfs = looks_for, fd = fd_looks_for, fdfind = fd_looks_for }
local FEEDERS = { xargs = true, gxargs = true, parallel = true }
local FILTERS = { sort = true, uniq = true, head = true, tail = true, grep = true, egrep = true, tr = true, cat = true, sed = true }

-- Whether ls lists files by a pattern of their names, such as logs/*.log.
local PATTERN = patterns.later([[(^|/)([\w.-]+\*|[\w-]*\*[\w-]*\.\w)[\w.*-]*$]])

local function shows_pattern(ls)
  local operands = ls.name == "ls" and ls:operands() or {}
  for _, word in ipairs(operands) do
    if not PATTERN:match(word) then
      return false
    end
  end
  return #operands > 0 and not ls:flag("-R", "--recursive", "-d")
end

-- The program that names the files of a command at run time.
local function source_of(cmd)
  local above = cmd.parent
  while above do
    if FINDERS[above.name or ""] then
      return "found", { above }
    elseif FEEDERS[above.name or ""] then
      local found = {}
      for _, writer in ipairs(above.input and above.input.from or {}) do
        if FINDERS[writer.name or ""] or shows_pattern(writer) then
          found[#found + 1] = writer
        elseif not FILTERS[writer.name or ""] then
          return "piped", {}
        end
      end
      return "piped", found
    end
    above = above.parent
  end
end

-- Where names that tools also give in projects count.
local OWN = { inside = true, here = true, temp = true, tempdir = true, allowed = true }

-- Whether find selects by name in a folder of the project that may be deleted as a whole, and nothing that can't
-- be made again.
local function selects_less(folder, names, scene)
  if #names == 0 or precious.kind(folder, false, true, scene) then
    return false
  end
  for _, name in ipairs(names) do
    if precious.kind(path.join(folder, name), name:find("*", 1, true) ~= nil, false, scene) then
      return false
    end
  end
  return true
end

-- The place of a folder where a program looks. A link is gone into if the program is told so, or a slash stands behind it.
local function place_of(finder, file, scene)
  for _, word in ipairs(finder.args) do
    if word == "-L" or word == "-H" or word == "-follow" or re.match(word, [[/\.?$]]) and path.base(path.clean(word)) == path.base(file.path) then
      return scene:followed(file)
    end
  end
  return scene:place(file)
end

-- Adds the targets of a find: the folders where it looks.
local function add_found(list, finder, scene, how, recursive)
  if finder.name == "ls" then
    for _, file in ipairs(finder:files()) do
      if not file.redirected then
        local place = scene:place(file)
        list[#list + 1] = { path = file.path, place = place, found = true, how = how, harmless = place == "inside" and not recursive, named = true, listed = true, glob = file.glob }
      end
    end
    return
  end
  local looks, starts = FINDERS[finder.name], 0
  for _, file in ipairs(finder:files()) do
    if file.access ~= "write" and not file.redirected and (finder.name ~= "fd" and finder.name ~= "fdfind" or path.base(file.path) ~= (finder:operands()[1] or "")) then
      starts = starts + 1
      local place = place_of(finder, file, scene)
      local harmless, named, names = looks(finder, OWN[place] and (recursive and rebuilt.name or rebuilt.file) or rebuilt.sure)
      harmless = harmless or place == "inside" and (rebuilt.inside(scene:relative(file.path)) or selects_less(file.path, names, scene))
      list[#list + 1] = { path = file.path, place = place, found = true, how = how, harmless = harmless, named = named }
    end
  end
  if starts == 0 then
    local harmless, named = looks(finder, recursive and rebuilt.name or rebuilt.file)
    list[#list + 1] = { path = ".", place = "here", found = true, how = how, harmless = harmless, named = named }
  end
end

local function any(cmd, fits)
  for _, word in ipairs(cmd.args) do
    if fits(word) then
      return true
    end
  end
  return false
end

local function is_dashes(word)
  return word == "--"
end

-- Whether the command has another TMPDIR than the line: it isn't known which one is meant.
local function is_moved(cmd, scene)
  local folder = cmd.env.TMPDIR
  if not folder then
    return false
  end
  local place = scene:where({ path = folder, dynamic = false, glob = false })
  return place ~= "temp" and place ~= "tempdir"
end

local function list_of(cmd, scene)
  local list = {}
  local recursive = WHOLE[cmd.name] or cmd.name ~= "unlink" and cmd:flag("-r", "-R", "--recursive") ~= false
  local forced = cmd:flag("-f", "--force") ~= false
  local how, finders = source_of(cmd)
  local added = false
  local finder = cmd.parent and FINDERS[cmd.parent.name or ""] and cmd.parent
  for _, file in ipairs(cmd:files("delete")) do
    local place = finder and place_of(finder, file, scene) or scene:place(file)
    if place == "temp" and not file.dynamic and scene:leads_out(file.path) and not any(cmd, path.is_abs) then
      place = "outside"
    elseif place == "temp" and file.temporary and file.dynamic and is_moved(cmd, scene) then
      place = "unknown"
    end
    if place == "unknown" and how then
      if not added then
        added = true
        for _, finder in ipairs(finders) do
          add_found(list, finder, scene, how, recursive)
        end
        if #finders == 0 and (recursive or not any(cmd, is_dashes)) then
          list[#list + 1] = { path = file.path, place = "unknown", how = how, recursive = recursive, forced = forced }
        end
      end
    else
      list[#list + 1] = { path = file.path, place = place, recursive = recursive, forced = forced, glob = file.glob or scene:is_pattern(file), dynamic = file.dynamic }
    end
  end
  return list
end

local last, last_list

-- of lists what a command deletes, each with path, place (see scene.lua), recursive, forced, glob, dynamic; how
-- is "found" or "piped" if find, or xargs and the like, name the files. Then found says that path is the folder
-- where find looks (listed: what ls was given), harmless that find looks for files that can be made again, and named that it looks for a
-- name.
function victims.of(cmd, scene)
  if cmd ~= last then
    last, last_list = cmd, nil
    last_list = list_of(cmd, scene)
  end
  return last_list
end

-- first returns the first of these that fits, as a detail for the reason.
function victims.first(cmd, scene, fits)
  for _, victim in ipairs(victims.of(cmd, scene)) do
    if fits(victim) then
      return victim.path
    end
  end
end

return victims
