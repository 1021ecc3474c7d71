-- The conditions of rules/undone.lua, and that of a push whose settings force it. It is loaded when one of them is asked.

local kept = require("kept")
local gitloss = require("gitloss")

local undone = {}

local MANY = 400

-- A name that is hardly ever a branch's.
local FILE = patterns.later([[[^/]\.\w+$|/$|[*?]|^\.]])

-- describes what a git diff prints of the changes that are there: the loss if these are taken back; nil if it compares
-- commits, or the index.
local function changes_of(cmd)
  local g = cmd.name == "git" and cmd.git
  local plumbing = g and (g.subcommand == "diff-index" or g.subcommand == "diff-files") and cmd:flag("-p", "-u", "--patch", "--patch-with-raw", "--patch-with-stat", "--binary")
  if not g or g.subcommand ~= "diff" and not plumbing or cmd:flag("--cached", "--staged", "--no-index") then
    return nil
  end
  local names, commits = { unpack(g.paths) }, 0
  for _, word in ipairs(g.operands) do
    if word:find("..", 1, true) and not word:find("/", 1, true) then
      return nil
    elseif FILE:match(word) then
      names[#names + 1] = word
    else
      commits = commits + 1
    end
  end
  if commits > 1 then
    return nil
  end
  return { reversed = cmd:flag("-R"), level = commits > 0 and "head" or "index", paths = kept.scope(names, cmd:git_folders() or { path = "." }) }
end

local function line(scene)
  local commands = scene.commands or {}
  return #commands <= MANY and commands or {}
end

-- Whether one command is run for a word of another: <(git diff) as an argument.
local function substituted(cmd)
  for _, word in ipairs(cmd.words) do
    if word.dynamic and word.text:find("<(", 1, true) then
      return true
    end
  end
  return false
end

-- The commands that write the patch which a command reads: into a pipe or a substitution, or into a file that it is given.
local function writers(cmd, scene)
  local list = {}
  for _, writer in ipairs(cmd.input and cmd.input.from or {}) do
    list[#list + 1] = writer
  end
  local reads, substitutes = nil, substituted(cmd)
  for _, other in ipairs(line(scene)) do
    if other == cmd then
      break
    elseif other.name == "git" and #other.via > 0 and other.via[#other.via] == "<()" and substitutes then
      list[#list + 1] = other
    elseif other.name == "git" and #other.redirects > 0 then
      reads = reads or cmd:files("read")
      for _, written in ipairs(other:files("write")) do
        for _, read in ipairs(reads) do
          if read.path == written.path then
            list[#list + 1] = other
          end
        end
        for _, word in ipairs(cmd.args) do -- git apply has its patches as operands
          if word ~= "" and cmd.dir and path.is_abs(cmd.dir) and path.clean(path.is_abs(word) and word or path.join(cmd.dir, word)) == written.path then
            list[#list + 1] = other
          end
        end
      end
    end
  end
  return list
end

-- reversed is about a patch of the changes that are there, which is applied the other way round.
function undone.reversed(cmd, scene)
  if cmd.remote or cmd:flag("--check", "--dry-run", "--stat", "--numstat", "--summary", "--cached") then
    return nil
  end
  local reverse = cmd:flag("-R", "--reverse")
  for _, writer in ipairs((reverse or #(scene.commands or {}) > 1) and writers(cmd, scene) or {}) do
    local lost = changes_of(writer)
    if lost and (lost.reversed ~= false) ~= (reverse ~= false) and not undone.spared(cmd, scene, lost) then
      return "applying git diff in reverse"
    end
  end
end

-- spared is as gitloss.spared, also for programs that aren't git.
function undone.spared(cmd, scene, lost)
  if cmd.git then
    return gitloss.spared(cmd, scene, lost)
  end
  return kept.lies_in_temp(cmd, scene) or kept.saved(cmd, scene, lost)
end

-- The file of a commit or of the index that git show or git cat-file prints, as it is named there; nil for others.
local function committed(cmd)
  local g = cmd.name == "git" and cmd.git
  if not g or g.subcommand ~= "show" and g.subcommand ~= "cat-file" then
    return nil
  end
  for _, word in ipairs(g.operands) do
    local name = word:match("^[^:]*:(.+)$")
    if name then
      return (name:gsub("^%./", ""):gsub("^[0-3]:", ""))
    end
  end
end

-- same reports whether a file that is written is the one of that name, as far as the names tell.
local same

function same(file, name)
  local target = file.path
  local inner = name:match("^([^$`()]+)[)`]$") -- git cat-file -p $(git rev-parse HEAD:name)
  if inner then
    return same(file, inner)
  end
  return target == name or target:sub(-#name - 1) == "/" .. name or path.is_abs(target) and name:sub(-#path.base(target) - 1) == "/" .. path.base(target)
    and text.starts_with(name, "..")
end

-- Whether a file is replaced that nobody has a copy of.
local function replaces(cmd, scene, file)
  if not file.dynamic and path.is_abs(file.path) then
    local place = scene:where(file)
    if place == "temp" or place == "allowed" or scene.cwd and host.exists(scene.cwd) and not host.exists(file.path) then
      return false -- there is nothing to lose
    end
  end
  return not undone.spared(cmd, scene, { level = "index", paths = not file.dynamic and { file.path } or nil })
end

-- The file of the name among those that a command writes, by redirection unless it is appended.
local function written_over(cmd, name)
  for _, file in ipairs(cmd:files("write")) do
    if same(file, name) then
      for _, redirect in ipairs(file.redirected and cmd.redirects or {}) do
        if redirect.op:find(">>", 1, true) and path.base(redirect.target) == path.base(file.path) then
          return nil
        end
      end
      return file
    end
  end
end

-- Programs that put into one file what is in another.
local COPIES = rules.set("mv gmv cp gcp install ginstall rsync ln gln cat tee dd sponge")

-- The text of git show in a word of a command, or of a pipe that it reads with cat.
local function told_over(cmd, scene)
  for _, other in ipairs(cmd.told) do
    local name = committed(other)
    local file = name and written_over(cmd, name)
    if file and replaces(cmd, scene, file) then
      return file.path
    end
  end
end

local function into_place(cmd, scene)
  -- A file that git show has written before gets into the place of the one that was committed.
  local sources
  for _, other in ipairs(line(scene)) do
    if other == cmd then
      return nil
    end
    local name = committed(other)
    if name then
      local passed = false
      sources = sources or cmd:files(cmd.name == "mv" and "delete" or "read")
      for _, written in ipairs(other:files("write")) do
        for _, source in ipairs(sources) do
          passed = passed or source.path == written.path
        end
      end
      local file = passed and written_over(cmd, name)
      if file and replaces(cmd, scene, file) then
        return file.path
      end
    end
  end
end

-- The file of the name that a later stage of the pipeline writes.
local function piped_over(cmd, scene, name)
  local seen = false
  for _, other in ipairs(line(scene)) do
    if seen and other.pipe == cmd.pipe and not other:flag("-a", "--append") then
      local file = written_over(other, name)
      if file then
        return file
      end
    end
    seen = seen or other == cmd
  end
end

-- overwritten is about a committed file that is written over the one that is there.
function undone.overwritten(cmd, scene)
  if cmd.remote then
    return nil
  elseif cmd.name ~= "git" then
    return told_over(cmd, scene) or COPIES[cmd.name or ""] and #(scene.commands or {}) > 1 and into_place(cmd, scene) or nil
  elseif #cmd.redirects == 0 and not cmd.pipe then
    return nil
  end
  local name = committed(cmd)
  local file = name and (written_over(cmd, name) or cmd.pipe and piped_over(cmd, scene, name))
  return file and replaces(cmd, scene, file) and file.path or nil
end

-- The git archive whose files tar unpacks, from a pipe or from a file.
local function archive(cmd, scene)
  for _, writer in ipairs(cmd.input and cmd.input.from or {}) do
    if writer.name == "git" and writer.git and writer.git.subcommand == "archive" then
      return writer
    end
  end
  local reads
  for _, other in ipairs(line(scene)) do
    if other == cmd then
      return nil
    elseif other.name == "git" and other.git and other.git.subcommand == "archive" then
      reads = reads or cmd:files("read")
      local named = other:flag("-o", "--output")
      local works = other:git_folders()
      named = type(named) == "string" and works and path.clean(path.is_abs(named) and named or path.join(works.path, named))
      for _, read in ipairs(reads) do
        local passed = read.path == named
        for _, written in ipairs(other:files("write")) do
          passed = passed or read.path == written.path
        end
        if passed then
          return other
        end
      end
    end
  end
end

-- unpacked is about an archive of a commit that is unpacked over the work tree.
function undone.unpacked(cmd, scene)
  if cmd.remote or cmd:flag("-k", "--keep-old-files", "--skip-old-files", "-t", "--list", "-O", "--to-stdout", "--to-command") or cmd.name == "unzip" and (not cmd:flag("-o") or cmd:flag("-l", "-p", "-n", "-Z")) then
    return nil
  end
  local targets = cmd:files("write")
  local writer = #targets > 0 and archive(cmd, scene)
  local prefix = writer and writer:flag("--prefix")
  if not writer or type(prefix) == "string" and path.clean(prefix) ~= "." then
    return nil -- with a prefix the files get into a folder of their own
  end
  local works = writer:git_folders()
  for _, file in ipairs(targets) do
    local tree = writer.git.operands[1] or ""
    local over = works and file.path == works.path or scene:place(file) == "here" or tree:find(":", 1, true) and same(file, (tree:gsub("^[^:]*:", ""):gsub("/$", "")))
    if over and not undone.spared(cmd, scene, { level = "head", paths = { file.path } }) then
      return file.path
    end
  end
end

local PUSH = patterns.later([[^remote\..*\.push$]])

local function forces(key, value)
  return value:sub(1, 1) == "+" and PUSH:match(key) or value ~= "false" and re.match(key, [[^remote\..*\.mirror$]])
end

-- Whether git remote adds a remote that each push makes the same as the repository here.
local function adds_mirror(cmd)
  local g = cmd.git
  if not g or g.subcommand ~= "remote" or g.operands[1] ~= "add" then
    return false
  end
  for _, word in ipairs(cmd.args) do
    if word == "--mirror" or word == "--mirror=push" then
      return true
    end
  end
  return false
end

local NOW = patterns.later([[^(now|all|0|\d+\.(second|minute|hour)s?(\.ago)?)$]])

-- stores_loss is about a setting with which git clean and git gc lose what they keep otherwise.
function undone.stores_loss(cmd)
  local stored = cmd.git and cmd.git.stored
  local key = stored and stored.key:lower() or ""
  local loses = key == "clean.requireforce" and re.match(stored.value:lower(), "^(false|no|off|0)$") or re.match(key, [[^gc\.(.*\.)?(prune|reflog)expire(unreachable)?$]]) and NOW:match(stored.value:lower())
  return loses and stored.key .. " = " .. stored.value or nil
end

-- stores_force is about a setting by which git push replaces what is on a remote.
function undone.stores_force(cmd)
  local stored = cmd.git and cmd.git.stored
  return stored and forces(stored.key, stored.value) and stored.key .. " = " .. stored.value or nil
end

-- pushes_by_setting is about git push without a refspec, where a setting of the command, of the line or of the
-- repository has one that forces.
function undone.pushes_by_setting(cmd, scene)
  local g = cmd.git
  if not g or g.subcommand ~= "push" or #g.refspecs > 0 or g.dry_run or g.operands[2] or cmd.remote then
    return nil
  end
  local remote = g.operands[1]
  local function concerns(part)
    return not remote or part == remote
  end
  for _, setting in ipairs(g.settings) do
    if forces(setting.key, setting.value) then
      return ("push by %s = %s"):format(setting.key, setting.value)
    end
  end
  for _, other in ipairs(line(scene)) do
    if other == cmd then
      break
    elseif other.name == "git" and undone.stores_force(other) and concerns(other.git.stored.key:match("^remote%.(.*)%.%a+$")) then
      return "push by " .. undone.stores_force(other)
    elseif adds_mirror(other) and concerns(other.git.operands[2]) then
      return "push to a mirror"
    end
  end
  local works = cmd:git_folders()
  if works and not works.dynamic and path.is_abs(works.path) and not g.elsewhere then
    for _, setting in ipairs(host.git_settings(works.path, "remote")) do
      if setting.name == "push" and setting.value:sub(1, 1) == "+" and concerns(setting.part) then
        return ("push by remote.%s.push = %s"):format(setting.part, setting.value)
      end
    end
  end
end

return undone
