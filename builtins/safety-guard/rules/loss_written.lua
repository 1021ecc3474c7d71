-- What can't be made again: files that git doesn't have and nothing builds, emptied or replaced.

local keyfiles = require("keyfiles")
local precious = require("precious")
local rebuilt = require("rebuilt")
local set = rules.set

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
  elseif name == "ed" or name == "ex" then
    return cmd.input and re.match(cmd.input.text, [[(^|\n|\|)\s*(%|,|0?1?,\$)\s*d\s*($|\n|\|)]]) and "emptied" or nil
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
  local earlier = require("earlier") -- few files come so far
  return not earlier.saved(cmd, target, scene, true) and not (known == "nothing" and earlier.made(cmd, target, scene)) and target
end

-- Files in a home folder that only programs and their user write, such as histories.
local function at_home(target, scene)
  local name = target:match("^~/(%..*)$") or scene.home and path.is_abs(target) and path.inside(scene.home, target) and path.rel(scene.home, target)
  return name and name:sub(1, 1) == "." and not rebuilt.cached_at_home(name) and scene:where({ path = target, dynamic = false, glob = false }) == "outside"
end

local function may_be_lost(file, scene)
  if file.dynamic or keyfiles.kind(file, scene) then
    return nil -- of the files that keyfiles.lua knows other rules say more
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
    id = "loss.overwritten",
    severity = "medium",
    on = "file",
    about = "written",
    gate = may_be_lost,
    looks_at = "files that a command empties or replaces: the same files, and settings in the home folder that are emptied",
    when = overwritten,
    reason = "This leaves nothing of what is in {detail}, which nothing can make again: git doesn't have it as it is.",
    advice = "Keep a copy of it first, or change only what has to change.",
    suggestion = "ls -la",
    blocked = { ": > .env", "cp /dev/null dev.db", "sed -i d .env", "mv seed.sqlite3 dev.db" },
    passes = { "cp .env.example .env", "echo A=1 >> .env", "sed -i s/a/b/ .env", "cp dev.db dev.db.bak && cp seed.db dev.db" },
  },
} }
