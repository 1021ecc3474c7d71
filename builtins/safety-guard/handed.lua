-- The arguments and input that a program may run. It isn't known what an unknown program does; a command that is
-- handed to it, word by word or as a text to read, may be run.

local names = require("names")
local readers = require("readers")
local set = rules.set

local handed = {}

-- The model has the commands that these run.
local SHELLS = set("sh bash zsh dash ksh mksh ash fish csh tcsh yash rbash")

local INTERPRETERS = set("pwsh powershell node nodejs deno bun python python2 python3 ruby perl php lua awk gawk")

-- Words that begin a command that can destroy something.
local STARTS = set("rm git find dd shred sh bash zsh dash ksh sudo chmod chown mkfs mkfs.ext4 wipefs unlink truncate mv")

-- The folder of a program, unless it is one of the system's.
local OWN = patterns.later([[^\.{0,2}/]])
local SYSTEMS = patterns.later([[^(/usr|/opt|/nix|/snap)?(/local|/homebrew)?/s?bin/]])

local MANY = 50

local function parse(source, cmd, scene)
  local options = { cwd = cmd.dir and path.is_abs(cmd.dir) and cmd.dir or scene.start, home = scene.home or nil, names = names.all() }
  local line = shell.parse(source, options)
  local lines = line.error and text.split(source, "\n") or {}
  if #lines < 2 or #lines > MANY then
    return line.commands
  end
  local all = {} -- a line that can't be parsed doesn't hide the others
  for _, one in ipairs(lines) do
    for _, found in ipairs(shell.parse(one, options).commands) do
      all[#all + 1] = found
    end
  end
  return all
end

local function text_of(cmd)
  for _, redirect in ipairs(cmd.redirects) do
    if redirect.body ~= "" then
      return redirect.body
    elseif redirect.op == "<<<" then
      return redirect.target
    end
  end
end

-- Languages that luahook can't read; the texts in quotes are examined.
local EVALUATED = set("Rscript R julia groovy elixir scala emacs emacsclient guile racket sbcl clojure bb tclsh wish jshell ghc octave")
local QUOTED = [["(?:[^"\\\n]|\\.)*"|'[^'\n]*'|`[^`\n]*`|\bexec [^"'\n;]+]]

local CODE = set("-e --eval -eval -E -c")

local function code_of(cmd)
  for i, word in ipairs(cmd.args) do
    if CODE[word] then
      return cmd.args[i + 1]
    end
  end
end

-- The commands in the quotes of a program.
local function quoted(body, cmd, scene)
  local all = {}
  for _, match in ipairs(re.find_all(body, QUOTED, MANY)) do
    local inner = re.replace(match, "^exec |^[\"'`]|[\"'`]$", "")
    if STARTS[inner:match("^%s*(%S+)%s")] then
      for _, found in ipairs(parse(inner, cmd, scene)) do
        all[#all + 1] = found
      end
    end
  end
  return all
end

-- commands lists the handed commands that a command may run; nil if there are none or it is known what the
-- program does with them.
function handed.commands(cmd, scene)
  local name = cmd.name
  if not name or cmd.remote or SHELLS[name] and not OWN:match(cmd.path) then
    return nil
  elseif INTERPRETERS[name] then
    -- A single shell command isn't a program in their languages.
    local script = cmd:operands()[1]
    local body = cmd:flag("-e", "--eval", "-c", "-r")
    if type(body) ~= "string" and (not script or script == "-") then
      body = text_of(cmd) -- the input of a script isn't a program
    end
    if type(body) ~= "string" or text.trim(body):find("\n", 1, true) or not STARTS[(body:match("^%s*(%S+)%s"))] then
      return nil
    end
    return parse(body, cmd, scene)
  elseif EVALUATED[name] then
    local body = code_of(cmd) or text_of(cmd)
    return body and quoted(body, cmd, scene)
  elseif readers.include(name) and not (OWN:match(cmd.path) and not SYSTEMS:match(cmd.path)) then
    return nil
  end
  local body = text_of(cmd)
  if body then
    return parse(body, cmd, scene)
  end
  local args = cmd.args
  if #args == 1 then -- sometool "sudo bash -c '...'": a whole line, not a sentence about one
    return parse(args[1], cmd, scene)
  end
  for i = 1, math.min(#args - 1, 4) do
    if STARTS[args[i]] then
      return parse(shell.quote(unpack(args, i)), cmd, scene)
    end
  end
end

return handed
