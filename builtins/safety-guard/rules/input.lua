-- Input that becomes a program: words that xargs and parallel put where a program, a script or an option is
-- read.

local reached = require("reached")

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

local function own_line(cmd)
  return cmd.name_dynamic and filled(cmd) and cmd.path ~= "" and not cmd.path:find("^[\"]?%$")
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
    blocked = { "git ls-files | xargs -I{} sh -c 'wc -l {}'", "cat list | parallel sh -c {}" },
    passes = { "git ls-files | xargs -I{} sh -c 'wc -l \"$1\"' _ {}" },
  },
  {
    id = "input.as-code",
    severity = "medium",
    programs = INTERPRETERS,
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
    looks_at = "cmd.parent: xargs or parallel, which add words where options are read",
    when = adds_options,
    reason = "The words of the input are read as options of find here.",
    advice = "Say where they belong: xargs -I{} find {} ... .",
    suggestion = "git ls-files | xargs -I{} find {} -newer Makefile",
    blocked = { "cat list | xargs find . -name x" },
    passes = { "cat list | xargs -I{} find {} -name x", "cat list | xargs find", "parallel echo {}" },
  },
} }
