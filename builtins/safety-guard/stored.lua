-- The commands that git's configuration has it run: what git config keeps, and the aliases of the user and of the
-- repository.

local names = require("names")

local stored = {}

-- Settings whose value a shell runs.
local PROGRAMS = patterns.later([[^(core\.(pager|editor|fsmonitor|sshcommand|askpass|gitproxy|alternaterefscommand)|sequence\.editor|pager\..*|diff\.external|]] ..
  [[diff\..*\.(command|textconv)|interactive\.difffilter|merge\..*\.driver|filter\..*\.(clean|smudge|process)|(difftool|mergetool|browser|man)\..*\.cmd|]] ..
  [[gpg\.(.*\.)?(program|defaultkeycommand)|credential\.(.*\.)?helper|alias\..*|remote\..*\.(uploadpack|receivepack)|submodule\..*\.update|]] ..
  [[(hook|tar|trailer)\..*\.(command|cmd)|sendemail\.(to|cc|header|sendmail)cmd|gc\.recentobjectshook|uploadpack\.packobjectshook|instaweb\.httpd|imap\.tunnel)$]])

-- For these, only a value that begins with "!" is a program.
local WITH_MARK = patterns.later([[^(credential|alias|submodule)\.]])

local function parse(source, cmd, scene)
  local works = cmd:git_folders()
  local folder = works and not works.dynamic and path.is_abs(works.path) and works.path or scene.start
  return shell.parse(source, { cwd = folder, home = scene.home or nil, names = names.all() }).commands
end

-- commands lists what the program consists of that git config keeps, and whether that is an alias; nil if it keeps none.
function stored.commands(cmd, scene)
  local setting = cmd.git and cmd.git.stored
  if not setting or setting.dynamic or not PROGRAMS:match(setting.key) then
    return nil
  end
  local value = setting.value
  if value:sub(1, 1) == "!" then
    value = value:sub(2)
  elseif WITH_MARK:match(setting.key) then
    return nil
  end
  return parse(value, cmd, scene), text.starts_with(setting.key, "alias.")
end

local MANY = 4000 -- bytes of an alias

-- alias lists what a subcommand stands for that git doesn't have, by the configuration of the user and the repository; nil if
-- there is no such alias.
function stored.alias(cmd, scene)
  local works = cmd:git_folders()
  if not works or cmd.remote or cmd.git.elsewhere then
    return nil
  end
  local name, value = cmd.git.subcommand:lower(), nil
  for _, setting in ipairs(host.git_settings(works.dynamic and "/" or works.path, "alias")) do
    if setting.part == "" and setting.name == name or setting.name == "command" and setting.part:lower() == name then
      value = setting.value
    end
  end
  if not value or #value > MANY then
    return nil
  end
  local rest, seen = {}, false
  for _, word in ipairs(cmd.args) do
    if seen then
      rest[#rest + 1] = shell.quote(word)
    elseif word:lower() == name then
      seen = true
    end
  end
  local words = table.concat(rest, " ")
  if value:sub(1, 1) == "!" then
    return parse(value:sub(2) .. " " .. words, cmd, scene)
  end
  return parse("git " .. value .. " " .. words, cmd, scene)
end

return stored
