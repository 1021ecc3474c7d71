-- What can't be made again: files that git doesn't have and nothing builds, deleted, or moved away first. loss_written.lua
-- has those that are emptied or replaced.

local earlier = require("earlier")
local keyfiles = require("keyfiles")
local precious = require("precious")
local set = rules.set
local victims = require("victims")

-- Programs that delete what they are given. What goes into an archive first is kept.
local DELETERS = { "rm", "grm", "srm", "unlink", "rimraf", "del-cli" }
local MIRRORS_TOO = { "rm", "grm", "srm", "unlink", "rimraf", "del-cli", "rsync", "tar", "gtar", "bsdtar", "zip" }

-- Whether it is a loss that a precious file goes: git doesn't have it, and the line keeps no copy. Where there is no
-- project to look at, what the line itself has made is none.
local function is_lost(cmd, target, glob, scene)
  local known = precious.known(target, glob, scene)
  if known == "absent" or known == "kept" then
    return false
  end
  return not cmd or not earlier.saved(cmd, target, scene) and not (known == "nothing" and earlier.made(cmd, target, scene)) and not earlier.remade(cmd, target, scene)
end

-- A path with everything in it.
local function whole(victim)
  return victim.recursive or victim.glob and path.base(victim.path):find("^%*+$") ~= nil
end

-- Programs that pack files and delete them with an option.
local PACKERS = set("tar gtar bsdtar zip")

-- Whether what is packed goes nowhere.
local function goes_nowhere(cmd)
  for _, file in ipairs(cmd:files("write")) do
    if file.path ~= "/dev/null" and not file.redirected then
      return false
    end
  end
  return not cmd.pipe
end

local function deleted(cmd, scene)
  if PACKERS[cmd.name] and not goes_nowhere(cmd) then
    return nil
  end
  local mirrors = cmd.name == "rsync" -- and deletes what isn't in the source
  if mirrors and cmd:flag("-n", "--dry-run", "--list-only", "--remove-source-files") or not mirrors and cmd:flag("-i", "-I", "--interactive") then
    return nil
  end
  return victims.first(cmd, scene, function(victim)
    if victim.how and not victim.listed or victim.place == "unknown" or victim.dynamic and victim.path:find("[$`{]") then
      return false
    end
    local all = mirrors or whole(victim)
    local pattern = victim.glob or victim.dynamic -- of a loop over files
    local target = pattern and path.base(victim.path):find("^%*+$") and path.dir(victim.path) or victim.path
    local glob = pattern and target == victim.path or false
    if precious.kind(target, glob, all, scene) then
      return is_lost(cmd, target, glob, scene)
    end
    local file = all and not glob and victim.place == "inside" and precious.inside(target, scene)
    return file and not earlier.saved(cmd, file, scene)
  end)
end

-- Places whose files aren't to be thrown away by way of a folder for temporary files.
local THEIRS = set("outside home system mount git here root")

local function moved_away(cmd, scene)
  return victims.first(cmd, scene, function(victim)
    if victim.how or victim.dynamic then
      return false
    end
    local source = earlier.moved_to(cmd, victim.path, scene)
    if not source then
      return false
    end
    return THEIRS[scene:place(source)] or not source.dynamic and precious.kind(source.path, source.glob, true, scene) and is_lost(cmd, source.path, source.glob, scene)
  end)
end

-- What lists files one after the other: a pattern, words that another command prints, or what find and xargs put in.
local LISTED = patterns.later([=[^[^$`]*[*?\[]|^["']?(\$\(|`)|\{\}]=])
-- A name with an ending is hardly that of a folder.
local ENDING = patterns.later([[[^./][^/]*\.[A-Za-z]\w{0,7}$]])
-- Commands that make no folder.
local MAKES_NONE = set("[ [[ test : true false echo printf ls find cat grep sort head tail wc read cd pwd basename dirname export set seq sleep rm touch chmod xargs which stat file")

-- how_many counts the files of a folder that a pattern stands for; nil where they can't be looked at.
local function how_many(source, dir)
  local file = path.is_abs(source) and source or dir and path.join(dir, source)
  local folder = file and path.dir(file)
  if not folder or not path.is_abs(folder) or folder:find("[*?%[$`{]") or not file:find("[*?%[]") or not host.there(folder) then
    return nil
  end
  local count, base = 0, path.base(file)
  for _, name in ipairs(host.below(folder)) do
    if not name:find("/", 1, true) and path.match(base, name) then
      count = count + 1
    end
  end
  return count
end

-- Whether a read of the line gives a variable its value.
local function is_read(word, scene)
  local name = word:match("^%${?([%a_][%w_]*)}?$")
  for _, other in ipairs(name and scene.commands or {}) do
    if other.name == "read" and table.concat(other.args, " "):find("%f[%w_]" .. name .. "%f[^%w_]") then
      return true
    end
  end
  return false
end

-- Whether a move is one of several onto the same target: of files that a loop, find or xargs goes through.
local function is_repeated(cmd, word, target, scene)
  if word.dynamic then
    local count = how_many(word.text, cmd.dir)
    if count and count > 0 then
      return count > 1
    end
    -- How many there are isn't known, and one alone is often given a name like that.
    return not ENDING:match(target) and (LISTED:match(word.text) or cmd.context == "loop" and is_read(word.text, scene))
  end
  for _, other in ipairs(cmd.context == "loop" and scene.commands or {}) do
    if other.name == cmd.name and other.line == cmd.line and other.column == cmd.column and other:operands()[1] ~= word.text and (other:paths("write")[1] == target) then
      return true
    end
  end
  return false
end

-- Whether something that runs before may make a folder; what runs the command itself, such as bash -c, isn't that.
local function may_be_made(cmd, scene)
  local around, above = {}, cmd.parent
  while above do
    around[above], above = true, above.parent
  end
  for _, other in ipairs(scene.commands or {}) do
    if rawequal(other, cmd) then
      return false
    elseif not around[other] and other.name ~= cmd.name and not MAKES_NONE[other.name or "?"] then
      return true
    end
  end
  return false
end

local function onto_one(cmd, scene)
  local operands = cmd:operands()
  if #operands ~= 2 or operands[2]:sub(-1) == "/" or cmd:flag("-n", "--no-clobber", "-b", "--backup", "-i", "--interactive", "-u", "--update", "-t", "--target-directory") then
    return nil
  end
  local source, target = nil, cmd:files("write")[1]
  for _, word in ipairs(cmd.words) do
    source = source or word.text == operands[1] and word or nil
  end
  if not source or not target or target.dynamic or target.glob then
    return nil
  end
  local real = scene.cwd and path.is_abs(target.path) and host.there(scene.cwd)
  if not real and (source.dynamic or not ENDING:match(target.path)) then
    return nil -- there may be a folder
  elseif real and host.there(target.path .. "/.") or not is_repeated(cmd, source, target.path, scene) or may_be_made(cmd, scene) then
    return nil
  end
  local from = cmd:files("delete")[1]
  return from and scene:place(from) ~= "temp" and target.path or nil
end

return { class = "loss", title = "What can't be made again", rules = {
  {
    id = "loss.deleted",
    severity = "medium",
    programs = MIRRORS_TOO,
    looks_at = "cmd:files(\"delete\"): .env files, databases, states, keys, dumps, folders of data; git's index",
    when = deleted,
    reason = "This deletes {detail}, which nothing can make again: git doesn't have it as it is.",
    advice = "Keep a copy of it first, or ask the user.",
    suggestion = "ls -la",
    blocked = { "rm -f .env", "rm -f db.sqlite3", "rm -rf uploads", "rm terraform.tfstate", "cp .env /tmp/x && rm .env && rm /tmp/x", "tar --remove-files -cf /dev/null .env" },
    passes = { "rm -f test.db", "rm -rf build", "cp .env .env.bak && rm .env", "git rm --cached .env" },
  },
  {
    id = "loss.moved-away",
    severity = "medium",
    programs = DELETERS,
    looks_at = "cmd:files(\"delete\"): what the line has moved there from outside the working folder, or what can't be made again",
    when = moved_away,
    reason = "This deletes {detail} with what was moved there before, which nothing can make again.",
    advice = "Leave it where it is, or ask the user.",
    suggestion = "ls -la",
    blocked = { "mv .env /tmp/x; rm /tmp/x", "mv uploads /tmp/old && rm -rf /tmp/old", "gzip app.db && rm app.db.gz", "zip -m /tmp/x.zip .env; rm /tmp/x.zip", "git init --separate-git-dir=/tmp/g && rm -rf /tmp/g" },
    passes = { "mv build /tmp/x && rm -rf /tmp/x", "mv a.txt b.txt && rm b.txt" },
  },
  {
    id = "loss.onto-one",
    severity = "medium",
    programs = { "mv", "gmv" },
    looks_at = "cmd:operands(), cmd:files(\"write\"), cmd.context: files that a loop, find or xargs moves one after the other to a place that is no folder",
    when = onto_one,
    reason = "There is no folder {detail}: each of the files replaces the one before, and only the last is left.",
    advice = "Make the folder first, and write a slash behind its name.",
    suggestion = "mkdir -p old",
    blocked = { "for f in a.txt b.txt; do mv $f all.txt; done" },
    passes = { 'mkdir -p old && for f in *.txt; do mv "$f" old/; done', "mv notes.txt old" },
  },
  {
    id = "loss.duplicates",
    severity = "medium",
    programs = { "fdupes", "jdupes", "rdfind", "fclones" },
    looks_at = "options with which duplicates are deleted unasked",
    when = function(cmd)
      local name = cmd.name
      if name == "rdfind" then
        local args = table.concat(cmd.args, " ")
        return re.match(args, "-deleteduplicates true") and not re.match(args, "-(dryrun|n) true") and name
      elseif name == "fclones" then
        return cmd:operands()[1] == "remove" and not cmd:flag("--dry-run") and name
      end
      return cmd:flag("-d", "--delete") and cmd:flag("-N", "--noprompt", "--no-prompt") and name
    end,
    reason = "{detail} deletes all but one of the files that are the same, and which one stays is chance.",
    advice = "List them, and have the user say which may go.",
    suggestion = "fdupes -r photos",
    blocked = { "fdupes -rdN ~/Pictures", "jdupes -r -d -N ~/Photos", "rdfind -deleteduplicates true ~/Music" },
    passes = { "fdupes -r ~/Pictures", "fdupes -rd ~/Pictures", "rdfind -dryrun true -deleteduplicates true ~/Music" },
  },
  {
    id = "loss.by-tool",
    severity = "medium",
    on = "file",
    about = "tool",
    looks_at = "what a tool that isn't a shell deletes: the same files",
    when = function(file, scene)
      local lost = file.access == "delete" and not keyfiles.kind(file, scene) and precious.kind(file.path, false, true, scene) and is_lost(nil, file.path, false, scene)
      return lost and file.path
    end,
    reason = "This deletes {detail}, which nothing can make again: git doesn't have it as it is.",
    advice = "Keep a copy of it first, or ask the user.",
    suggestion = "ls -la",
    tool = true,
    blocked = { "a tool's deletion of .env" },
    passes = { "a tool's deletion of src/old.go" },
  },
} }
