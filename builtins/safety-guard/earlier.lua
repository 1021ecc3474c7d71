-- What the commands of a line that come before another one have done to its files.

local set = rules.set

local earlier = {}

-- Programs that copy what they are given, with or without a target of their own.
local COPIES = set("cp gcp install rsync tar gtar bsdtar zip 7z scp rclone restic borg pg_dump mysqldump gzip xz zstd bzip2 cpio ditto pax age gpg openssl sqlite3")
local PRINTS = set("cat bat less tac base64 xxd")

-- Programs that write to a file without making it.
local CHANGES = set("touch chmod chown chgrp setfacl sed gsed perl ruby truncate shred sqlite3 dd ed ex vim chattr mkdir " ..
  "gzip pigz bzip2 pbzip2 xz lzma zstd lz4 brotli")

local function covers(outer, inner)
  return outer == inner or path.is_abs(outer) == path.is_abs(inner) and path.inside(outer, inner)
end

-- Those whose copy isn't what they print.
local TO_TARGET = set("cp gcp install rsync scp rclone ditto")

-- Whether a command's copy isn't what it prints: that goes to a log.
local function has_target(cmd)
  local name, prints = cmd.name or "", false
  for _, redirect in ipairs(cmd.redirects) do
    prints = prints or redirect.op:find(">", 1, true) ~= nil and redirect.fd ~= 2
  end
  if not prints or TO_TARGET[name] or name == "gpg" and cmd:operands()[1] and cmd:flag("-o", "--output") ~= "-" then
    return true
  end
  for _, file in ipairs(cmd:files("write")) do
    if not file.redirected then
      return true
    end
  end
  return false
end

local DELETES = set("rm grm srm unlink rimraf shred del-cli trash find")
local MANY = 200

-- Whether a copy is deleted later in the line, and nothing has read it in between, as what puts it back does.
local function is_gone(cmd, copy, scene)
  local behind, commands = false, scene.commands or {}
  for i = 1, #commands <= MANY and #commands or 0 do
    local other = commands[i]
    if behind and DELETES[other.name or ""] then
      for _, file in ipairs(other:files("delete")) do
        if not file.dynamic and covers(file.path, copy) then
          return true
        end
      end
    elseif behind then
      for _, file in ipairs(other:files("read")) do
        if covers(file.path, copy) then
          return false
        end
      end
    end
    behind = behind or rawequal(other, cmd)
  end
  return false
end

-- Whether a command writes to a file that stays.
local function writes_elsewhere(cmd, target, scene)
  for _, file in ipairs(cmd:files("write")) do
    if not covers(target, file.path) and file.path:sub(1, 5) ~= "/dev/" and not (file.redirected and has_target(cmd)) and not is_gone(cmd, file.path, scene) then
      return true
    end
  end
  return false
end

local function redirects(cmd, ...)
  for _, redirect in ipairs(cmd.redirects) do
    for _, op in ipairs({ ... }) do
      if redirect.op == op then
        return true
      end
    end
  end
  return false
end

-- each calls f with each command before cmd, the last one first, until it returns something. A cmdlet isn't before
-- what it does.
local function each(cmd, scene, f)
  local commands, before = scene.commands or {}, false
  for i = #commands, 1, -1 do
    local other = commands[i]
    if before and not rawequal(other, cmd.parent) then
      local found = f(other)
      if found then
        return found
      end
    end
    before = before or rawequal(other, cmd)
  end
end

-- Whether what a command prints goes into a file that stays, with what else the block around it prints.
local function prints_into_block(cmd, target, scene)
  local block = not redirects(cmd, ">", ">>", "&>", "&>>", ">|") and cmd.block
  return block and writes_elsewhere(block, target, scene) or false
end

local STEPS = 4

-- Whether a command takes what another one has written, or what a third has made of that.
local function takes(cmd, other, scene, steps)
  for _, writer in ipairs({ other, other.block }) do
    for _, file in ipairs(writer:files("write")) do
      for _, taken in ipairs(cmd:files("read", "delete")) do
        if taken.path == file.path then
          return true
        end
      end
    end
  end
  return steps < STEPS and #(scene.commands or {}) <= MANY and each(cmd, scene, function(between)
    return not rawequal(between, other) and takes(between, other, scene, STEPS) and takes(cmd, between, scene, steps + 1)
  end) or false
end

-- Whether a command has saved a file. Where another one, taker, replaces that, any program's output counts that it takes.
local function saves(other, target, taker, scene)
  local name = other.name or ""
  if name == "git" and other:subcommand() == "add" then
    for _, operand in ipairs(other:operands()) do
      if path.base(operand) == path.base(target) then
        return true
      end
    end
    return false
  elseif not (COPIES[name] or PRINTS[name] or taker) then
    return false
  end
  for _, file in ipairs(other:files("read")) do
    if covers(file.path, target) and not file.dynamic then
      local keeps = writes_elsewhere(other, target, scene) or taker and prints_into_block(other, target, scene)
      return keeps and (COPIES[name] or PRINTS[name] or takes(taker, other, scene, 1)) or false
    end
  end
  return name == "sqlite3" and (redirects(other, ">", ">>") or false) and text.contains(table.concat(other.args, " "), path.base(target))
end

-- saved reports whether the line has put a copy of a file, or of the folder that it is in, somewhere else.
-- replaces: what any program has made of it counts as well, if that takes its place.
function earlier.saved(cmd, target, scene, replaces)
  return each(cmd, scene, function(other)
    return saves(other, target, replaces and cmd, scene)
  end) or false
end

-- Whether a program that changes files makes one here.
local function makes(other)
  if not CHANGES[other.name or ""] then
    return true
  elseif other.name == "mkdir" then
    return true
  elseif other.name == "dd" then
    return not text.contains(table.concat(other.args, " "), "notrunc")
  end
  return other.name == "sqlite3" and (other.input ~= nil or redirects(other, "<", "<<", "<<<") or re.match(table.concat(other.args, " "), [[(?i)\bcreate\b]]))
end

-- made reports whether the line itself has made a file, or the folder that it is in.
function earlier.made(cmd, target, scene)
  return each(cmd, scene, function(other)
    if not makes(other) or other.name == "tee" and other:flag("-a", "--append") then
      return false
    end
    local appends = redirects(other, ">>", "&>>")
    for _, file in ipairs(other:files("write")) do
      if covers(file.path, target) and not file.dynamic and not (appends and file.redirected) and (file.path == target or other.name == "mkdir" or other.name == "git" or other.name == "cp") then
        return true
      end
    end
    return false
  end) or false
end

-- touched reports whether the line has made a file, or may have: touch leaves one that is there.
function earlier.touched(cmd, target, scene)
  return each(cmd, scene, function(other)
    for _, file in ipairs(other.name == "touch" and other:files("write") or {}) do
      if file.path == target then
        return true
      end
    end
  end) or earlier.made(cmd, target, scene)
end

-- Whether a command makes a folder, and fails if there is one; mkdir -p doesn't, but is written for what isn't there.
local function makes_folder(other, target, scene)
  local name = other.name
  if name == "mkdir" and other:flag("-p", "--parents") and path.dir(target) == scene.home then
    return false -- projects are there
  elseif name ~= "mkdir" and not (name == "git" and re.match(other:subcommand() or "", "^(clone|worktree)$")) then
    return false
  end
  for _, file in ipairs(other:files("write")) do
    if not file.dynamic and file.path == target then
      return true
    end
  end
  return false
end

-- created reports whether a command only runs where the line has made a folder that wasn't there: everything from
-- there on is joined by &&.
function earlier.created(cmd, target, scene)
  local joined = cmd.context == "and"
  return each(cmd, scene, function(other)
    if not joined then
      return nil
    end
    local made = makes_folder(other, target, scene)
    joined = other.context == "and"
    return made
  end) or false
end

-- remade reports whether a later command makes a database anew from a schema.
function earlier.remade(cmd, target, scene)
  local behind = false
  for _, other in ipairs(scene.commands or {}) do
    if behind and other.name == "sqlite3" and makes(other) then
      for _, file in ipairs(other:files("write", "read")) do
        if file.path == target then
          return true
        end
      end
    end
    behind = behind or rawequal(other, cmd)
  end
  return false
end

local UNPACKERS = set("tar gtar bsdtar unzip")

-- replaced reports whether a later command, which only runs after cmd has succeeded, unpacks an archive of the name of a
-- folder to where it was: go1.22.tar.gz into /usr/local for /usr/local/go.
function earlier.replaced(cmd, target, scene)
  local behind, name = false, path.base(target):lower()
  for _, other in ipairs(scene.commands or {}) do
    if behind and other.context ~= "and" then
      return false
    elseif behind and UNPACKERS[other.name or ""] then
      local into, named = false, false
      for _, file in ipairs(other:files("write", "read")) do
        into = into or not file.dynamic and file.path == path.dir(target)
        named = named or path.base(file.path):lower():sub(1, #name) == name and path.base(file.path) ~= name
      end
      if into and named then
        return true
      end
    end
    behind = behind or rawequal(other, cmd)
  end
  return false
end

-- What programs put behind the name of a file that they pack and delete.
local ENDINGS = { gzip = ".gz", pigz = ".gz", bzip2 = ".bz2", pbzip2 = ".bz2", xz = ".xz", lzma = ".lzma", zstd = ".zst", lz4 = ".lz4", brotli = ".br", compress = ".Z" }

-- Those that keep it unless they are told not to.
local KEEPS = { zstd = { "--rm" }, lz4 = { "--rm", "-m" }, brotli = { "-j", "--rm" } }

-- Programs that delete what they have packed or copied with an option: they have both kinds of files.
local TAKES = set("mv gmv zip tar gtar bsdtar 7z 7za 7zz rsync grsync")

-- packed lists what a program packs into a file beside it and deletes, each with the path of that file.
local function packed(cmd)
  local ending, list = ENDINGS[cmd.name or ""], {}
  if ending and not cmd:flag("-d", "--decompress", "-k", "--keep", "-c", "--stdout") and (not KEEPS[cmd.name] or cmd:flag(unpack(KEEPS[cmd.name]))) then
    for _, file in ipairs(cmd:files("write")) do
      if not file.redirected and not file.dynamic then
        list[#list + 1] = { file = file, into = file.path .. ending }
      end
    end
  end
  return list
end

-- The repository that git init takes to another place.
local function repository_moved(cmd, target)
  local into = cmd.git and re.match(cmd.git.subcommand or "", "^init(-db)?$") and cmd:flag("--separate-git-dir")
  local folder = cmd.git and cmd.git.operands[1] or "."
  if type(into) ~= "string" or path.clean(folder) ~= "." and not (cmd.dir and host.exists(path.join(cmd.dir, folder))) then
    return nil
  end
  into = cmd.dir and not path.is_abs(into) and path.join(cmd.dir, into) or path.clean(into)
  if not covers(target, into) then
    return nil
  end
  return { path = cmd.dir and path.join(cmd.dir, folder, ".git") or ".git", dynamic = false, glob = false, access = "delete" }
end

-- moved_to returns what the line has moved or packed to a path, into a folder there, or to something in it.
function earlier.moved_to(cmd, target, scene)
  return each(cmd, scene, function(other)
    for _, one in ipairs(packed(other)) do
      if covers(target, one.into) then
        return one.file
      end
    end
    if other.name == "git" then
      return repository_moved(other, target)
    elseif not TAKES[other.name or ""] then
      return nil
    end
    local sources = other:files("delete")
    for _, file in ipairs(sources) do
      for _, into in ipairs(other:files("write")) do
        if not into.dynamic and (covers(into.path, target) or covers(target, into.path)) then
          local named = covers(into.path, target) and path.base(file.path) == path.base(target)
          if #sources == 1 or named or covers(target, into.path) then
            return file
          end
        end
      end
    end
  end)
end

return earlier
