-- Programs that git runs because its settings, variables and addresses name them. Such a program is judged as a
-- command whenever it runs; the rules here are about naming one at all.

local function any(...)
  return patterns.later("^(?:" .. table.concat({ ... }, "|") .. ")$")
end

-- Editors and pagers, which people choose for themselves.
local VIEWERS = any("EDITOR", "VISUAL", "PAGER", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", [[core\.editor]], [[sequence\.editor]], [[core\.pager]], [[pager\..*]])
local KNOWN = any([[(true|false|:|cat|less|more|vi|vim|nvim|nano|emacs|ed|delta|bat|code)( -[-\w]+)*]], "")

-- Programs that talk to a server: they matter to commands that do.
local REMOTE = any("GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_PROXY_COMMAND", "GIT_ASKPASS", "SSH_ASKPASS",
  [[core\.(sshcommand|gitproxy|askpass|alternaterefscommand)]], [[ssh\.variant]], [[credential\.(.*\.)?helper]],
  [[remote\..*\.(uploadpack|receivepack)]], [[uploadpack\.packobjectshook]], [[protocol\.(ext\.)?allow]])
local NETWORK = { "archive", "clone", "fetch", "fetch-pack", "ls-remote", "pull", "push", "send-pack", "submodule", "subtree", "lfs", "remote", "upload-pack" }
local TALKS, TALKING = {}, { "git init" }
for i, subcommand in ipairs(NETWORK) do
  TALKS[subcommand], TALKING[i + 1] = true, "git " .. subcommand
end

local PROGRAMS = any("GIT_EXTERNAL_DIFF", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", [[core\.(fsmonitor|hookspath)]], [[init\.templatedir]],
  [[interactive\.difffilter]], [[diff\.external]], [[diff\..*\.(command|textconv)]], [[(difftool|mergetool|man|browser)\..*\.(cmd|path)]],
  [[merge\..*\.driver]], [[filter\..*\.(clean|smudge|process)]], [[gpg\.(.*\.)?program]], [[gpg\..*\.defaultkeycommand]],
  [[(hook|tar|trailer)\..*\.command]], [[trailer\..*\.cmd]], [[gc\.recentobjectshook]], [[instaweb\.httpd]], [[imap\.tunnel]],
  [[sendemail\.(to|cc|header|sendmail)cmd]])

-- Files with more settings.
local INCLUDED = any([[include\.path]], [[includeif\..*\.path]], "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM")

local LFS = patterns.later([[^git[- ]lfs ]])

-- harmless reports whether a value names no program, or a known one.
local function harmless(key, value)
  if value == "" or value == "/dev/null" or VIEWERS:match(key) and KNOWN:match(value) then
    return true
  elseif key == "core.fsmonitor" or text.starts_with(key, "pager.") then
    return value == "true" or value == "false"
  elseif key == "core.hookspath" then
    return not path.is_abs(value) and not text.starts_with(path.clean(value), "..") and value:sub(1, 1) ~= "~"
  elseif text.starts_with(key, "protocol.") then
    return value ~= "always"
  elseif text.starts_with(key, "credential.") then
    return not re.match(value, "[/!]")
  end
  return text.starts_with(key, "filter.") and LFS:match(value)
end

local function runs(setting, subcommand)
  local key = setting.key
  if not setting.dynamic and harmless(key, setting.value) then
    return false
  elseif text.starts_with(key, "alias.") then
    return text.starts_with(setting.value, "!")
  elseif text.starts_with(key, "remote.") and text.starts_with(setting.value, "ext::") then
    return true
  elseif REMOTE:match(key) then
    return not subcommand or TALKS[subcommand]
  end
  return VIEWERS:match(key) or PROGRAMS:match(key) or INCLUDED:match(key)
end

local function for_itself(cmd)
  local g = cmd.git
  for _, setting in ipairs(g and g.settings or {}) do
    if runs(setting, g.subcommand or "") then
      return setting.key
    end
  end
end

local function for_later(cmd)
  local stored = cmd.git and cmd.git.stored
  return stored and runs(stored) and stored.key
end

local function edits(cmd)
  local g = cmd.git
  return g and g.subcommand == "config" and (cmd:flag("-e", "--edit") or g.operands[1] == "edit") and not cmd:flag("--help") and true
end

-- Options of git whose value is a program, or a folder of hooks.
local function by_option(cmd)
  local g = cmd.git
  if not g or not g.subcommand then
    return nil
  end
  if TALKS[g.subcommand] then
    for _, operand in ipairs(g.operands) do
      if text.starts_with(operand, "ext::") then
        return operand
      end
    end
    for _, option in ipairs({ "--upload-pack", "--receive-pack", "--exec", g.subcommand == "clone" and "-u" or nil }) do
      local value = cmd:flag(option)
      if type(value) == "string" and not re.match(value, "^git[- ](upload|receive)-(pack|archive)$") then
        return option
      end
    end
  end
  if g.subcommand == "clone" or g.subcommand == "init" then
    local folder = cmd:flag("--template")
    return type(folder) == "string" and folder ~= "" and "--template"
  end
end

return { class = "git-exec", title = "git: programs that it runs", rules = {
  {
    id = "git-exec.setting",
    severity = "medium",
    programs = { "git", "hub" },
    looks_at = "cmd.git.settings: -c, --exec-path, and variables such as GIT_SSH_COMMAND",
    when = for_itself,
    reason = "{detail} makes git run a program of the caller's choice.",
    advice = "Run git as it is configured.",
    suggestion = "git fetch origin",
    blocked = { "GIT_SSH_COMMAND=./helper git fetch", "git -c core.fsmonitor=./watch status", "GIT_EXEC_PATH=/tmp/x git status", "git -c alias.n='!echo n' n" },
    passes = { "GIT_SSH_COMMAND=./helper git status", "git -c core.pager=cat log", "GIT_EDITOR=true git rebase --continue", "git -c user.name=Kim commit -m x" },
  },
  {
    id = "git-exec.stored",
    severity = "medium",
    programs = { "git config", "git remote" },
    looks_at = "cmd.git.stored: what git config and git remote keep",
    when = for_later,
    reason = "{detail} makes later git commands run a program, also those of the user.",
    advice = "Show the user the setting, and leave it to him.",
    suggestion = "git config --get core.hooksPath",
    blocked = { "git config core.hooksPath /tmp/hooks", "git config filter.x.smudge ./run", "git config --global alias.n '!./run'", "git remote add up 'ext::sh -c ./run'" },
    passes = { "git config core.hooksPath .githooks", "git config --unset core.hooksPath", "git config alias.co checkout", "git config user.email kim@example.com" },
  },
  {
    id = "git-exec.edit",
    severity = "medium",
    programs = { "git config" },
    looks_at = "cmd.git: config --edit",
    when = edits,
    reason = "git config --edit opens the settings in an editor, where any of them can change.",
    advice = "Name the setting and its value.",
    suggestion = "git config user.name Kim",
    blocked = { "git config --edit", "git config --global -e" },
    passes = { "git config --list", "git config --get user.name" },
  },
  {
    id = "git-exec.option",
    severity = "medium",
    programs = TALKING,
    looks_at = "cmd.git and cmd:flag(): --upload-pack, --receive-pack, --template, addresses with ext::",
    when = by_option,
    reason = "{detail} makes git run a program of the caller's choice.",
    advice = "Use the repository's address as it is.",
    suggestion = "git clone https://example.com/shop.git",
    blocked = { "git clone --template=/tmp/hooks https://example.com/shop.git", "git fetch --upload-pack=./run origin", "git clone 'ext::./run' shop" },
    passes = { "git clone https://example.com/shop.git", "git init --template= shop", "git push --repo origin" },
  },
} }
