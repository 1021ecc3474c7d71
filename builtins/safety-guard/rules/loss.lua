-- What can't be made again: files that git doesn't have and nothing builds, deleted, emptied or replaced.

local earlier = require("earlier")
local keyfiles = require("keyfiles")
local precious = require("precious")
local rebuilt = require("rebuilt")
local set = require("set")
local victims = require("victims")

-- Programs that delete what they are given. What goes into an archive first is kept.
local DELETERS = { "rm", "grm", "srm", "unlink", "rimraf", "del-cli" }
local MIRRORS_TOO = { "rm", "grm", "srm", "unlink", "rimraf", "del-cli", "rsync" }

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

local function deleted(cmd, scene)
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

-- Programs that make the files anew that they write.
local REPLACES = set("cp gcp mv gmv install ginstall ln gln link rsync scp tee dd curl wget sort sponge openssl gpg age base64 xxd pg_dump ffmpeg unzip")

-- Programs in which a script stands: what they do to a file besides isn't known.
local LANGUAGES = set("python python2 python3 node nodejs bun deno perl ruby php awk gawk")

-- The redirection by which a command writes a file.
local function redirect_to(file, cmd)
  local base = path.base(file.path)
  for _, redirect in ipairs(cmd.redirects) do
    if redirect.op:find(">", 1, true) and path.base(redirect.target) == base then
      return redirect
    end
  end
end

-- A script of sed's that leaves nothing, or only empty lines.
local ERASES = patterns.later([[^\s*(([01]\s*,\s*\$|/\.\*/|/\^/|/\$/)?\s*\{?\s*d\s*;?\s*\}?|s(.)(\^?)\.\*\$?(/{2}|,,|\|\||##)g?)\s*;?\s*$]])

local function erases(sed)
  local script = sed:flag("-e", "--expression")
  script = type(script) == "string" and script or sed:operands()[1] or ""
  return ERASES:match(script) or sed:flag("-n", "--quiet", "--silent") and (script == "" or re.match(script, [[^[^{};]*d\s*;?$]]))
end

local SED = set("sed gsed")

-- A program of perl's with -i and -n that prints nothing.
local function prints_nothing(perl)
  local code = perl:flag("-e", "-E")
  return perl:flag("-n") and not perl:flag("-p") and (code == true or type(code) == "string" and not re.match(code, [=[print|say|write|\$_\s*[.=]]=]))
end

-- How a command writes a file: "emptied", "forced" where it says that it may be there, "replaced", or nil.
local function manner(file, cmd)
  local name = cmd.name or ""
  local redirect = redirect_to(file, cmd)
  if redirect then
    if redirect.empties then
      return "emptied"
    elseif redirect.op:find(">>", 1, true) or redirect.op == "<>" or LANGUAGES[cmd.parent and cmd.parent.name or ""] then
      return nil
    end
    local prints = name == "cat" and #cmd:operands() > 0
    return prints and "forced" or "replaced"
  elseif SED[name] then
    return erases(cmd) and "emptied" or nil
  elseif name == "perl" then
    return prints_nothing(cmd) and "emptied" or nil
  elseif not REPLACES[name] then
    return nil
  elseif name == "tee" and (cmd:flag("-a", "--append") or cmd.input and cmd.input.text == "" and not cmd.input.dynamic) then
    return not cmd:flag("-a", "--append") and "emptied" or nil
  elseif name == "dd" then
    local args = table.concat(cmd.args, " ")
    return not re.match(args, "notrunc|oflag=append") and (re.match(args, "if=/dev/(null|zero)") and "emptied" or "replaced") or nil
  elseif name == "rsync" or name == "cp" and cmd:flag("-n", "--no-clobber") or cmd:flag("-b", "--backup", "-u", "--update") then
    return nil
  end
  for _, operand in ipairs(cmd:operands()) do
    if operand == "/dev/null" then
      return "emptied"
    end
  end
  return (name == "ln" and cmd:flag("-f", "--force") or name == "mv" and cmd:flag("-f", "--force")) and "forced" or "replaced"
end

-- What a name alone can say of a file that is replaced, where there is nothing to look at: it may not be there.
-- An .env is made from its template when a project is set up.
local REPLACED = { forced = set("environment database state"), replaced = set("state") }
local COPIED = set("database state")
local COPIERS = set("cp gcp mv gmv install ln")

local function overwritten(file, scene)
  local cmd, kind = file.cmd, rawget(file, "precious")
  local how = manner(file, cmd)
  local target = rawget(file, "lost")
  if not how or kind == "settings" and how ~= "emptied" then
    return nil
  end
  local known = precious.known(target, false, scene)
  if known == "nothing" then
    local by_name = how == "emptied" or REPLACED[how][kind] or COPIERS[cmd.name or ""] and COPIED[kind]
    if not by_name or rawget(file, "guessed") then
      return nil
    end
  elseif known ~= "lost" then
    return nil
  end
  return not earlier.saved(cmd, target, scene, true) and not (known == "nothing" and earlier.made(cmd, target, scene)) and target
end

-- Files in a home folder that only programs and their user write, such as histories.
local function at_home(target, scene)
  local name = target:match("^~/(%..*)$") or scene.home and path.is_abs(target) and path.inside(scene.home, target) and path.rel(scene.home, target)
  return name and name:sub(1, 1) == "." and not rebuilt.cached_at_home(name) and scene:where({ path = target, dynamic = false, glob = false }) == "outside"
end

local function may_be_lost(file, scene)
  local cmd = rawget(file, "cmd")
  if file.access == "read" or file.dynamic or cmd and file.access == "delete" or keyfiles.kind(file, scene) then
    return nil -- of the files that keyfiles.lua knows other rules say more
  elseif not cmd then
    return file.access == "delete" and precious.kind(file.path, false, true, scene) or nil
  end
  for i, target in ipairs(keyfiles.written(file)) do
    local kind = precious.kind(target, false, false, scene) or at_home(target, scene) and "settings"
    if kind then
      rawset(file, "precious", kind)
      rawset(file, "lost", target)
      rawset(file, "guessed", i > 1) -- what it is put into is perhaps no folder
      return kind
    end
  end
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
    blocked = { "rm -f .env", "rm -f db.sqlite3", "rm -rf uploads", "rm terraform.tfstate" },
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
    blocked = { "mv .env /tmp/x; rm /tmp/x", "mv uploads /tmp/old && rm -rf /tmp/old" },
    passes = { "mv build /tmp/x && rm -rf /tmp/x", "mv a.txt b.txt && rm b.txt" },
  },
  {
    id = "loss.overwritten",
    severity = "medium",
    on = "file",
    gate = may_be_lost,
    looks_at = "files that are emptied or replaced: the same files, and settings in the home folder that are emptied",
    when = function(file, scene)
      return rawget(file, "cmd") and overwritten(file, scene)
    end,
    reason = "This leaves nothing of what is in {detail}, which nothing can make again: git doesn't have it as it is.",
    advice = "Keep a copy of it first, or change only what has to change.",
    suggestion = "ls -la",
    blocked = { ": > .env", "cp /dev/null dev.db", "sed -i d .env", "mv seed.sqlite3 dev.db" },
    passes = { "cp .env.example .env", "echo A=1 >> .env", "sed -i s/a/b/ .env", "cp dev.db dev.db.bak && cp seed.db dev.db" },
  },
  {
    id = "loss.by-tool",
    severity = "medium",
    on = "file",
    about = "tool",
    gate = may_be_lost,
    looks_at = "what a tool that isn't a shell deletes: the same files",
    when = function(file, scene)
      return not rawget(file, "cmd") and file.access == "delete" and is_lost(nil, file.path, false, scene) and file.path
    end,
    reason = "This deletes {detail}, which nothing can make again: git doesn't have it as it is.",
    advice = "Keep a copy of it first, or ask the user.",
    suggestion = "ls -la",
    tool = true,
    blocked = { "a tool's deletion of .env" },
    passes = { "a tool's deletion of src/old.go" },
  },
} }
