-- What can't be made again: files that git doesn't have and nothing builds, emptied or replaced.

local keyfiles = require("keyfiles")
local precious = require("precious")
local rebuilt = require("rebuilt")
local set = rules.set
local writers = require("later")("writers")

-- Programs that make the files anew that they write.
local REPLACES = set("cp gcp mv gmv install ginstall ln gln link rsync scp tee dd curl wget sort sponge openssl gpg age base64 xxd pg_dump ffmpeg unzip")

-- Programs in which a script stands: what they do to a file besides isn't known.
local LANGUAGES = set("python python2 python3 node nodejs bun deno perl ruby php awk gawk")

local EDITORS = set("ed ex red vim nvim vi view gvim")

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

-- A program that says nowhere that it writes something.
local WRITES = patterns.later([[print|\bsay\b|\bputs\b|<<|\bwrite|\.write|syswrite|fput|fwrite|copy|\.pipe|pipeline|dump|\.end\(|put_contents|echo|save|update|\bsend]])
local AWK = set("awk gawk mawk nawk")

-- A program of awk's that prints nothing.
local PRINTS_NOTHING = patterns.later([[^\s*(|0+|!1|""|NR\s*(<\s*[01]|<=\s*0)|/\$\^/|BEGIN\s*\{[^{}]*\}|\{\s*(next|exit)?\s*;?\s*\})\s*$]])

local function writes_nothing(cmd)
  if not AWK[cmd.name] and cmd:flag("-i", "-p") then
    return false -- it prints each line, or see prints_nothing
  elseif AWK[cmd.name] then
    for _, word in ipairs(cmd:operands()) do
      if word ~= "inplace" then
        return PRINTS_NOTHING:match(word)
      end
    end
    return false
  end
  return not WRITES:match(table.concat(cmd.args, " "))
end

-- A command of ex that deletes every line.
local DELETES_ALL = patterns.later([[(^|[\s|:'"])(%|,|[01]?,\$|g/\^?/|g/\.\*/)\s*d(el(ete)?)?\s*($|[\s|!'"])]])

local function is_deleted_whole(editor)
  for _, script in ipairs(writers.scripts(editor)) do
    if DELETES_ALL:match(script) then
      return true
    end
  end
  return false
end

-- How a command writes a file: "emptied", "forced" where it says that it may be there, "replaced", or nil.
local function manner(file, cmd)
  local name = cmd.name or ""
  local redirect = redirect_to(file, cmd)
  if redirect then
    if redirect.empties then
      return "emptied"
    elseif redirect.op:find(">>", 1, true) or redirect.op == "<>" then
      return nil
    elseif LANGUAGES[cmd.parent and cmd.parent.name or ""] then
      return writes_nothing(cmd.parent) and "emptied" or nil
    end
    local prints = name == "cat" and #cmd:operands() > 0
    return prints and "forced" or "replaced"
  elseif SED[name] then
    return erases(cmd) and "emptied" or not cmd:flag("-i", "-I", "--in-place") and "forced" or nil -- by its command w
  elseif name == "find" then
    return "forced"
  elseif EDITORS[name] then
    return is_deleted_whole(cmd) and "emptied" or nil
  elseif AWK[name] then
    return cmd:flag("-i") and writes_nothing(cmd) and "emptied" or nil
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

-- Whether a program asks before it replaces a file, and nothing answers for the user.
local function asks_first(cmd)
  if not COPIERS[cmd.name or ""] or not cmd:flag("-i", "--interactive") or cmd.input then
    return false
  end
  for _, redirect in ipairs(cmd.redirects) do
    if redirect.op:find("<", 1, true) then
      return false
    end
  end
  return true
end

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
  if cmd:missing(target) or asks_first(cmd) then
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

-- edited_away is about an editor whose script deletes all of a file: what it opens counts as read.
local function edited_away(cmd, scene)
  if not is_deleted_whole(cmd) then
    return nil
  end
  for _, file in ipairs(cmd:files("read")) do
    local pretended = { path = file.path, access = "write", dynamic = file.dynamic, glob = file.glob, cmd = cmd }
    local lost = not file.redirected and may_be_lost(pretended, scene) and overwritten(pretended, scene)
    if lost then
      return lost
    end
  end
end

-- Programs that unpack a file beside itself, and those that do it with an option.
local UNPACK = set("gunzip unxz unlzma bunzip2 unzstd unlz4 uncompress unbrotli")
local UNPACK_TOO = set("gzip pigz xz lzma bzip2 pbzip2 zstd lz4 brotli")
local PACKED = patterns.later([[(?i)\.(gz|xz|lzma|bz2|zst|lz4|br|z)$]])

local function value_of(cmd, ...)
  for i, word in ipairs(cmd.args) do
    for _, option in ipairs({ ... }) do
      if word == option then
        return cmd.args[i + 1]
      elseif word:sub(1, #option + 1) == option .. "=" then
        return word:sub(#option + 2)
      end
    end
  end
end

-- remade lists the files that a command makes anew although they may be there, without naming them as its own.
local function remade(cmd)
  local name, list = cmd.name, {}
  if UNPACK[name] or UNPACK_TOO[name] and cmd:flag("-d", "--decompress", "--uncompress") then
    for _, file in ipairs(cmd:flag("-f", "--force") and not cmd:flag("-c", "--stdout", "--to-stdout", "-t", "--test", "-l", "--list") and cmd:files("write") or {}) do
      if not file.redirected and not file.dynamic and PACKED:match(file.path) then
        list[#list + 1] = PACKED:replace(file.path, "")
      end
    end
  elseif name == "sqlite3" then
    local file = cmd:files("write")[1]
    for _, word in ipairs(cmd.args) do
      list[1] = word:find("^%s*%.restore%s") and file and not file.dynamic and file.path or list[1]
    end
  elseif name == "op" then
    list[1] = cmd:subcommand() == "inject" and cmd:flag("-f", "--force") and value_of(cmd, "-o", "--out-file") or nil
  elseif cmd:flag("-y", "--yes") then -- of vercel
    local operands = cmd:operands()
    list[1] = operands[1] == "env" and operands[2] == "pull" and (operands[3] or ".env.local") or operands[1] == "pull" and ".vercel/.env.development.local" or nil
  end
  return list
end

local function replaced(cmd, scene)
  for _, name in ipairs(remade(cmd)) do
    local target = cmd.dir and not path.is_abs(name) and path.join(cmd.dir, name) or path.clean(name)
    local kind = not name:find("[$`*?]") and precious.kind(target, false, false, scene)
    local known = kind and precious.known(target, false, scene)
    local lost = known == "lost" or known == "nothing" and REPLACED.forced[kind]
    if lost and not cmd:missing(target) and not require("earlier").saved(cmd, target, scene, true) then
      return target
    end
  end
end

local MANY = 200

-- linked is about a file that gets another name, under which the line then empties or replaces it.
local function linked(cmd, scene)
  local commands = scene.commands or {}
  if cmd.name ~= "ln" and cmd.name ~= "gln" and cmd.name ~= "link" and not cmd:flag("-l", "--link", "-s", "--symbolic-link") or #commands < 2 or #commands > MANY then
    return nil
  end
  local source = cmd:operands()[1]
  local target = source and { path = path.is_abs(source) and source or path.join(cmd.dir or ".", source), access = "write", dynamic = false, glob = false }
  local kind = target and precious.kind(target.path, false, false, scene)
  local known = kind and precious.known(target.path, false, scene)
  if not kind or known ~= "nothing" and known ~= "lost" then
    return nil
  end
  local behind = false
  for _, other in ipairs(commands) do
    for _, file in ipairs(behind and other:files("write") or {}) do
      for _, link in ipairs(cmd:files("write")) do
        if file.path == link.path and manner(file, other) == "emptied" then
          return source
        end
      end
    end
    behind = behind or rawequal(other, cmd)
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
    blocked = { ": > .env", "cp /dev/null dev.db", "sed -i d .env", "mv seed.sqlite3 dev.db", "gawk -i inplace 0 .env", "sed -n 'w .env' README.md", "find . -fprint .env" },
    passes = { "sed -n 'w out.txt' README.md", "gawk -i inplace 1 .env", "cp .env.example .env", "echo A=1 >> .env", "sed -i s/a/b/ .env", "cp dev.db dev.db.bak && cp seed.db dev.db" },
  },
  {
    id = "loss.edited-away",
    severity = "medium",
    programs = { "vim", "nvim", "vi", "view", "gvim" },
    looks_at = "cmd.args, cmd:files(\"read\"): the same files, of which an editor's script deletes every line",
    when = edited_away,
    reason = "This leaves nothing of what is in {detail}, which nothing can make again: git doesn't have it as it is.",
    advice = "Keep a copy of it first, or change only what has to change.",
    suggestion = "ls -la",
    blocked = { "vim -es -c '%d|wq' .env", "vi -c ':1,$d' -c ':x' app.db" },
    passes = { "vim -es -c '%s/a/b/|wq' .env", "vim -es -c '%d|wq' notes.txt" },
  },
  {
    id = "loss.replaced",
    severity = "medium",
    programs = { "gunzip", "unxz", "unlzma", "bunzip2", "unzstd", "unlz4", "uncompress", "gzip", "pigz", "xz", "lzma", "bzip2", "pbzip2", "zstd", "lz4", "brotli", "sqlite3", "op", "vercel", "vc" },
    looks_at = "cmd.args, cmd:files(\"write\"): the same files, unpacked over, restored, or pulled from a service",
    when = replaced,
    reason = "This leaves nothing of what is in {detail}, which nothing can make again: git doesn't have it as it is.",
    advice = "Keep a copy of it first, or let it write to another file.",
    suggestion = "ls -la",
    blocked = { "gunzip -f db.sqlite3.gz", "sqlite3 db.sqlite3 '.restore b.db'", "vercel env pull .env --yes", "op inject -i .env.tpl -o .env -f" },
    passes = { "gunzip db.sqlite3.gz", "gunzip -f notes.txt.gz", "sqlite3 db.sqlite3 '.backup b.db'", "vercel env pull .env", "cp .env .env.old && vercel env pull .env --yes" },
  },
  {
    id = "loss.linked",
    severity = "medium",
    programs = { "ln", "gln", "link" },
    only = { links = { "cp" } },
    looks_at = "cmd:operands(), scene.commands: the same files, emptied under another name that the line gives them",
    when = linked,
    reason = "This leaves nothing of what is in {detail}, which nothing can make again: git doesn't have it as it is.",
    advice = "Keep a copy of it first, or change only what has to change.",
    suggestion = "ls -la",
    blocked = { "ln .env e && : > e", "ln -s .env e && cp /dev/null e" },
    passes = { "ln -s .env e && cat e", "ln -s ../shared/.env .env" },
  },
} }
