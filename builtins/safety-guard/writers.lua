-- The files that commands write in ways that the tables of programs can't say: by a verb, by a script for an editor, as the
-- members of an archive, or by an option of git.

local set = rules.set

local writers = {}

-- Verbs with which a program writes the files that stand behind it.
local VERBS = {
  dprint = set("fmt"), taplo = set("fmt format"), ruff = set("format check"), deno = set("fmt"), terraform = set("fmt"), tofu = set("fmt"), zig = set("fmt"),
  dart = set("format fix"), mix = set("format"), gleam = set("format"), buf = set("format"), packer = set("fmt"), cue = set("fmt fix"),
  ouch = set("decompress d"), unrar = set("x e"), ar = set("x q r"), augtool = set("set rm"),
}
-- Some of them only with an option.
local WITH = { ruff = { check = { "--fix", "--fix-only", "--unsafe-fixes", "--add-noqa" } }, buf = { format = { "-w", "--write" } } }
local READS = { "--check", "--diff", "--dry-run", "--list-different", "-d", "--help" }

-- Options with the file that a program writes.
local OPTIONS = {
  json = { "-f", with = { "-I", "--in-place" } }, dasel = { "-f", "--file", "-o", "--out", verbs = set("put delete") }, sops = { "--output" }, screen = { "-Logfile" },
  minisign = { "-x" },
}

-- Words of a script that may be paths.
local PATHS = patterns.later([=[[^\s"'`(),;|!<>\[\]{}=]+]=])

local EDITORS = set("vim nvim vi view gvim mvim ex ed red emacs emacsclient")
local EMACS = set("emacs emacsclient")
local EMACS_TEXT = set("--eval --execute -eval -execute -e")

-- Functions and commands of editors that write, delete or visit a file.
local TOUCHES = patterns.later([=[(^|[|:;\s'"(%])(w(rite)?!?|sav(eas)?!?|x(it)?!?|up(date)?!?|wq!?|e(dit)?!?|tabe(dit|w)?|sp(lit)?|vs(plit)?|f(ile)?|r?e?d(ir)?!?|mk(session|vimrc|exrc)!?|wri(te)?)\s|]=] ..
  [=[writefile|delete|rename|mkdir|setfperm|filecopy|io\.open|os\.(remove|rename)|vim\.fn|jobstart|write-|append-to-file|delete-|rename-|copy-|make-symbolic|set-file|save-|find-file|w(rite)?!?\s*>]=])

-- scripts lists the texts that an editor is given as scripts.
function writers.scripts(cmd)
  local list = {}
  for i, word in ipairs(cmd.args) do
    local before = cmd.args[i - 1] or ""
    if EMACS[cmd.name] then
      if EMACS_TEXT[before] then
        list[#list + 1] = word
      else
        list[#list + 1] = word:match("^%-%-e[valxecut]+=(.*)$")
      end
    elseif before == "--cmd" or before:find("^%-%a*c$") then
      list[#list + 1] = word
    elseif word:find("^%+.") or word:find("^%-c.") then
      list[#list + 1] = word:match("^%+(.*)$") or word:match("^%-c(.*)$")
    end
  end
  local input = cmd.input
  if input and input.text ~= "" and #input.text < 20000 and not EMACS[cmd.name] then
    list[#list + 1] = input.text
  end
  return list
end

local function add_scripted(cmd, list)
  for _, script in ipairs(writers.scripts(cmd)) do
    if TOUCHES:match(script) then
      for _, word in ipairs(PATHS:find_all(script)) do
        list[#list + 1] = word
      end
    end
  end
end

-- Archivers with the options by which they only look, or print, and that with the folder that they unpack into.
local UNPACKS = {
  tar = { "-t", "--list", "-O", "--to-stdout", "--to-command", into = { "-C", "--directory" } },
  unzip = { "-l", "-t", "-p", "-v", "-Z", "-z", into = { "-d" } },
}
UNPACKS.gtar, UNPACKS.bsdtar = UNPACKS.tar, UNPACKS.tar

local function add_members(cmd, list)
  local how = UNPACKS[cmd.name]
  local operands, first = cmd:operands(), 1
  if cmd:flag(unpack(how)) then
    return
  elseif cmd.name == "unzip" then
    first = 2
  elseif not cmd:flag("-x", "--extract", "--get") then
    return
  end
  local into = cmd:flag(unpack(how.into))
  for i = first, #operands do
    list[#list + 1] = type(into) == "string" and path.join(into, operands[i]) or operands[i]
  end
end

-- Modules of Python that write the files, or into the folder, behind their options.
local MODULES = set("zipfile tarfile venv json.tool black isort autopep8 yapf ruff lib2to3 pyupgrade gzip compileall")

local function add_python(cmd, list)
  for i, word in ipairs(cmd.args) do
    if word == "-m" and MODULES[cmd.args[i + 1] or ""] then
      local module, verb = cmd.args[i + 1], cmd.args[i + 2] or ""
      if (module == "zipfile" or module == "tarfile") and not re.match(verb, "^(-e|--extract|-c|--create)$") then
        return
      end
      for j = module == "json.tool" and i + 3 or i + 2, #cmd.args do
        list[#list + 1] = cmd.args[j]
      end
      return
    end
  end
end

-- What git writes by an option, by the subcommand.
local GIT = {
  archive = { "-o", "--output" }, ["format-patch"] = { "-o", "--output-directory" }, ["checkout-index"] = { "--prefix" }, ["read-tree"] = { "--prefix" },
}

local function add_git(cmd, list)
  local git = cmd.git
  local options = git and GIT[git.subcommand or ""]
  if options then
    local name = cmd:flag(unpack(options))
    list[#list + 1] = type(name) == "string" and name or nil
  elseif git and git.subcommand == "config" and (git.stored or cmd:flag("--unset", "--unset-all", "--remove-section", "--rename-section", "-e", "--edit")) then
    local name = cmd:flag("-f", "--file")
    list[#list + 1] = type(name) == "string" and name or nil
  elseif git and git.subcommand == "bundle" and git.operands[1] == "create" then
    list[#list + 1] = git.operands[2]
  end
end

-- What script is told to write its log to, also behind -c.
local function add_log(cmd, list)
  for i, word in ipairs(cmd.args) do
    if word:sub(1, 1) ~= "-" and not re.match(cmd.args[i - 1] or "", "^-[a-z]*c$|^--command$") then
      list[#list + 1] = word
    end
  end
end

local PYTHON = patterns.later([[^(python|pypy)[\d.]*$]])

-- of lists the paths that a command may write besides cmd:files("write"), as it names them.
function writers.of(cmd)
  local name, list = cmd.name or "", {}
  if EDITORS[name] then
    add_scripted(cmd, list)
  elseif UNPACKS[name] then
    add_members(cmd, list)
  elseif cmd.git then
    add_git(cmd, list)
  elseif PYTHON:match(name) then
    add_python(cmd, list)
  elseif name == "script" then
    add_log(cmd, list)
  else
    local operands, options = cmd:operands(), OPTIONS[name]
    local verb = operands[1] or ""
    local with = WITH[name] and WITH[name][verb]
    if VERBS[name] and VERBS[name][verb] and not cmd:flag(unpack(READS)) and (not with or cmd:flag(unpack(with))) then
      for i = 2, #operands do
        list[#list + 1] = operands[i]
      end
    elseif options and (not options.with or cmd:flag(unpack(options.with))) and (not options.verbs or options.verbs[verb]) then
      for i, word in ipairs(cmd.args) do
        for _, option in ipairs(options) do
          list[#list + 1] = word:sub(1, #option + 1) == option .. "=" and word:sub(#option + 2) or cmd.args[i - 1] == option and word or nil
        end
      end
    end
  end
  return list
end

return writers
