-- What a program is handed that it may run: nobody knows what a program does that luahook
-- doesn't know, and a command that is handed to it, word by word or as a text to read, may
-- be what it does.

local readers = require("readers")

local handed = {}

local function set(names)
  local members = {}
  for name in names:gmatch("%S+") do
    members[name] = true
  end
  return members
end

local INTERPRETERS = set("pwsh powershell tclsh node nodejs deno bun python python2 python3 ruby perl php lua awk gawk")

-- Words that begin a command that can destroy something.
local STARTS = set("rm git find dd shred sh bash zsh dash ksh sudo chmod chown mkfs mkfs.ext4 wipefs unlink truncate mv")

-- The folder that a program stands in, where it isn't one of the system's.
local OWN = re.compile([[^\.{0,2}/]])
local SYSTEMS = re.compile([[^(/usr|/opt|/nix|/snap)?(/local|/homebrew)?/s?bin/]])

local MANY = 50

local function parse(source, cmd, scene)
  local options = { cwd = cmd.dir and path.is_abs(cmd.dir) and cmd.dir or scene.start, home = scene.home or nil }
  local line = shell.parse(source, options)
  local lines = line.error and text.split(source, "\n") or {}
  if #lines < 2 or #lines > MANY then
    return line.commands
  end
  local all = {} -- a line that can't be understood doesn't hide the others
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
    end
  end
end

-- commands lists what a command may run of what it is handed, nil where there is
-- nothing or it is known what it does with it.
function handed.commands(cmd, scene)
  local name = cmd.name
  if not name or cmd.remote then
    return nil
  elseif INTERPRETERS[name] then
    -- One command of the shell is no program in their languages.
    local body = text_of(cmd) or cmd:flag("-e", "--eval", "-c", "-r")
    if type(body) ~= "string" or text.trim(body):find("\n", 1, true) or not STARTS[(body:match("^%s*(%S+)%s"))] then
      return nil
    end
    return parse(body, cmd, scene)
  elseif readers.include(name) and not (OWN:match(cmd.path) and not SYSTEMS:match(cmd.path)) then
    return nil
  end
  local body = text_of(cmd)
  if body then
    return parse(body, cmd, scene)
  end
  local args = cmd.args
  for i = 1, math.min(#args - 1, 4) do
    if STARTS[args[i]] then
      return parse(shell.quote(unpack(args, i)), cmd, scene)
    end
  end
end

return handed
