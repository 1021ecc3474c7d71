-- Input that becomes a program: words that xargs and parallel put where a program, a script or an option is
-- read.

local reached = require("reached")
local set = rules.set

local SHELLS = { sh = true, bash = true, zsh = true, fish = true, dash = true, ksh = true, mksh = true, ash = true, csh = true, tcsh = true }

local function filled(cmd)
  return reached.by(cmd, "xargs") or reached.by(cmd, "parallel")
end

local function parent_is(cmd, ...)
  local parent = cmd.parent
  for _, name in ipairs({ ... }) do
    if parent and parent.name == name then
      return true
    end
  end
  return false
end

local WRAPPERS = { sudo = true, doas = true, env = true, nohup = true, nice = true, setsid = true, command = true, exec = true, busybox = true, eval = true, time = true, stdbuf = true }

-- Whether the words that xargs and parallel add are a program, or the text of one.
local function ends_open(cmd)
  local words = cmd.args
  local last = words[#words]
  if last == "--" then
    last = words[#words - 1]
  end
  if not last or cmd.name == "parallel" and cmd:flag("--dry-run", "--dryrun", "--help", "-h", "--version", "-V") then
    return nil
  elseif WRAPPERS[last] then
    return last
  end
  if SHELLS[last] and cmd.name == "parallel" and cmd:flag("--pipe", "--spreadstdin", "--pipepart", "--pipe-part") then
    return last
  elseif re.match(last, "^-[a-z]*c$") then
    for _, word in ipairs(words) do
      if SHELLS[path.base(word)] then
        return word
      end
    end
  end
end

-- Programs that show files, names and texts, and do no more than that with any argument.
local SHOWS = set("echo printf cat tac head tail wc grep egrep fgrep zgrep rg ag ack cut tr sort uniq nl rev fold column paste comm diff cmp file stat ls du basename dirname realpath " ..
  "readlink md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum cksum strings xxd hexdump od jq yq test [ [[ true false : read exit return zcat bat xmllint pdftotext exiftool identify nm ldd size")

-- The same, if the input isn't in their own script.
local SCRIPTED = set("sed gsed awk gawk mawk")
local GIT_SHOWS = set("log show blame diff rev-parse rev-list ls-files ls-tree cat-file grep shortlog describe status merge-base name-rev show-ref for-each-ref check-ignore")

local function shows(cmd)
  local name = cmd.name
  if cmd.name_dynamic then
    return false
  end
  for _, file in ipairs(cmd:files("write", "delete")) do
    if file.path ~= "/dev/null" then
      return false
    end
  end
  if not name then
    return true -- it only assigns, or is a loop's own redirection
  elseif SCRIPTED[name] then
    for _, word in ipairs(cmd.words) do
      if word.dynamic and word.text:sub(1, 1) == "-" then
        return false
      elseif word.text:sub(1, 1) ~= "-" then -- the script, or the value of an option that has it
        return not word.dynamic
      end
    end
    return false
  elseif name == "git" then
    return GIT_SHOWS[cmd:subcommand() or ""]
  end
  return SHOWS[name]
end

-- Whether all that the script of a shell does with the words of the input is to show something.
local function only_shows(script, scene)
  local behind, any = false, false
  for _, cmd in ipairs(scene.commands) do
    if cmd == script then
      behind = true
    elseif behind then
      local above = cmd.parent
      while above and above ~= script.parent do
        above = above.parent
      end
      if above and not shows(cmd) then
        return false
      end
      any = any or above ~= nil
    end
  end
  return any
end

local function own_line(cmd, scene)
  if not (cmd.name_dynamic and filled(cmd) and cmd.path ~= "" and not cmd.path:find("^[\"]?%$")) then
    return false
  end
  return not (cmd.parent and SHELLS[cmd.parent.name] and only_shows(cmd, scene))
end

local INTERPRETERS = { "awk", "gawk", "mawk", "nawk", "node", "nodejs", "deno", "bun", "python", "python2", "python3", "perl", "ruby", "php" }

-- Whether a word that xargs or parallel fills in is an option of the interpreter, or awk's program: words after
-- the script belong to the script.
local function fills_code(cmd)
  if not cmd.dynamic or not parent_is(cmd, "xargs", "parallel") then
    return nil
  end
  local awk = cmd.name:find("awk") and cmd:flag("-f", "--file") == false
  for _, word in ipairs(cmd.words) do
    if word.text:sub(1, 1) ~= "-" then
      return awk and word.dynamic and cmd.name or nil
    elseif word.text == "--" then
      return nil
    elseif word.dynamic then
      return cmd.name
    end
  end
end

-- Whether the added words are where find reads options.
local function adds_options(cmd)
  local parent = cmd.parent
  if not parent_is(cmd, "xargs", "parallel") then
    return nil
  end
  local behind = parent.name == "xargs" and not parent:flag("-I", "-i", "--replace", "-J")
  for i, word in ipairs(cmd.words) do
    local option = word.text:sub(1, 1) == "-"
    if option and (word.dynamic or behind and i > 1) then
      return true
    elseif option and i == 1 then
      behind = false -- where find starts may follow
    end
  end
end

return { class = "input", title = "Input that becomes a program", rules = {
  {
    id = "input.as-program",
    severity = "medium",
    programs = { "xargs", "parallel" },
    looks_at = "cmd.args: what the words of the input become",
    when = function(cmd)
      return ends_open(cmd) or cmd.name == "parallel" and #cmd.args == 0 and "parallel"
    end,
    reason = "Each line of the input becomes a command here ({detail}).",
    advice = "Name the program that gets the words of the input, or write the commands to a script and run that.",
    suggestion = "git ls-files | xargs wc -l",
    blocked = { "cat list | xargs bash -c", "cat list | parallel" },
    passes = { "cat list | xargs bash -c 'wc -l \"$@\"' _", "cat list | parallel wc -l" },
  },
  {
    id = "input.evaluated",
    severity = "medium",
    programs = { "eval" },
    looks_at = "cmd.via: xargs or parallel",
    when = function(cmd)
      return filled(cmd)
    end,
    reason = "The words of the input become part of a script here, and run as one.",
    advice = "Hand them over as arguments of one program.",
    suggestion = "git ls-files | xargs wc -l",
    blocked = { "cat list | xargs sh -c 'eval \"$1\"' _", "echo ls | parallel eval {}" },
    passes = { "eval 'echo ok'", "cat list | xargs sh -c 'wc -l \"$@\"' _" },
  },
  {
    id = "input.in-script",
    severity = "medium",
    programs = { "?" },
    looks_at = "cmd.via: a script that xargs or parallel fills words into",
    when = own_line,
    reason = "The words of the input become part of a script here, and run as one.",
    advice = "Hand them over as arguments: sh -c '... \"$1\"' _ {}.",
    suggestion = "git ls-files | xargs -I{} sh -c 'wc -l \"$1\"' _ {}",
    blocked = { "git ls-files | xargs -I{} sh -c 'cp {} {}.bak'", "cat list | parallel sh -c {}" },
    passes = { "git ls-files | xargs -I{} sh -c 'wc -l \"$1\"' _ {}", "find . -name x | xargs -I{} sh -c 'echo {}; cat {}'" },
  },
  {
    id = "input.as-code",
    severity = "medium",
    programs = INTERPRETERS,
    only = "run",
    looks_at = "cmd.words: which of them xargs or parallel fills in",
    when = fills_code,
    reason = "The words of the input become code of {detail} here, or an option of it.",
    advice = "Hand them over behind --, as arguments.",
    suggestion = "git ls-files | xargs -I{} awk 'END { print NR }' {}",
    blocked = { "cat list | xargs -I{} awk '{}'", "cat list | parallel ruby -r{}" },
    passes = { "cat list | xargs -I{} awk '{ print $1 }' {}", "cat list | xargs -I{} node app.js {}" },
  },
  {
    id = "input.as-options",
    severity = "medium",
    programs = { "find" },
    only = "run",
    looks_at = "cmd.parent: xargs or parallel, which add words where options are read",
    when = adds_options,
    reason = "The words of the input are read as options of find here.",
    advice = "Say where they belong: xargs -I{} find {} ... .",
    suggestion = "git ls-files | xargs -I{} find {} -newer Makefile",
    blocked = { "cat list | xargs find . -name x" },
    passes = { "cat list | xargs -I{} find {} -name x", "cat list | xargs find", "parallel echo {}" },
  },
} }
