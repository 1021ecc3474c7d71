-- The files that matter more than others: those that give access, that run by themselves, or that the machine
-- needs.

local keyfiles = {}

-- Programs that change a file's name, permissions or times, but not its content.
local OUTSIDE = {}
for _, name in ipairs({ "chmod", "chown", "chgrp", "setfacl", "chattr", "chcon", "chflags", "touch", "mkdir", "mount", "umount", "mknod", "mkfifo", "losetup",
  "restorecon", "setfattr" }) do
  OUTSIDE[name] = true
end

local names = require("names")

local INTO = rules.set(require("marked").joins)

-- The part of a path after a home folder, or nil.
local HOMES = patterns.later([[^(~[^/]*|/root|/home/[^/]+|/Users/[^/]+|/var/root|[A-Za-z]:/Users/[^/]+)/(.+)$]])

local function behind_home(target, home)
  if home and home ~= "/" and path.is_abs(target) and path.inside(home, target) and target ~= home then
    return path.rel(home, target)
  end
  local found = HOMES:captures(target)
  return found and found[2]
end

-- Kinds of files in a home folder.
local AT_HOME = {
  { kind = "login", pattern = patterns.later([[^\.ssh/(authorized_keys2?|rc|environment)$]]) },
  { kind = "keys", pattern = patterns.later([[^(\.ssh/(id_[^/]*|config|[^/]*\.pem|\*)|\.gnupg/.*|\.ssh|\.gnupg)$]]) },
  { kind = "start", pattern = patterns.later([[^(\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|login|logout|]] ..
    [[xprofile|xinitrc|xsession|xsessionrc|pam_environment)|\.config/(fish/(config\.fish|conf\.d(/.*)?|functions/.*)|nushell/(config|env)\.nu|powershell/.*profile\.ps1|]] ..
    [[zsh/\.z[a-z]+|environment\.d(/.*)?)|Documents/(Windows)?PowerShell/[^/]*profile\.ps1|\.zsh(rc|env)?\.d/.*|\.bashrc\.d/.*)$]]) },
  { kind = "launch", pattern = patterns.later([[^(Library/Launch(Agents|Daemons)(/.*)?|\.config/(systemd/user|autostart|autostart-scripts)(/.*)?|\.local/share/systemd/user/.*|]] ..
    [[AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup(/.*)?)$]]) },
  { kind = "git", pattern = patterns.later([[^(\.gitconfig|\.config/git/(config|attributes)|\.git-templates?/.*)$]]) },
  { kind = "credentials", pattern = patterns.later([[^(\.aws/(credentials|config)|\.kube/config|\.docker/config\.json|\.netrc|\.pypirc|\.git-credentials|\.config/gh/hosts\.yml|]] ..
    [[\.azure/.*|\.config/gcloud/.*|\.npmrc|\.pgpass|\.my\.cnf|\.vault-token|\.cargo/credentials(\.toml)?|\.gem/credentials|\.config/sops/.*|\.password-store/.*)$]]) },
}

-- Kinds of files of the machine.
local OF_MACHINE = {
  { kind = "accounts", pattern = patterns.later([[^(/private)?/etc/(passwd|g?shadow|group|sudoers|sudoers\.d(/.*)?|pam\.conf|pam\.d(/.*)?|security/.*|ssh/.*|doas\.conf|polkit-1/.*|]] ..
    [[ld\.so\.preload|ld\.so\.conf(\.d/.*)?|nsswitch\.conf|fstab|crypttab|inittab|shells|login\.defs|subuid|subgid|master\.passwd)-?$]]) },
  { kind = "cron", pattern = patterns.later([[^(/private)?(/etc/(crontab|anacrontab|at\.(allow|deny)|cron[^/]*(/.*)?)|/var/(spool/)?(cron|at)(/.*)?)$]]) },
  { kind = "launch", pattern = patterns.later([[^(/etc/(systemd|init|init\.d|rc[^/]*\.d|rc\.local|xdg/autostart|update-motd\.d|NetworkManager/dispatcher\.d|udev)(/.*)?|]] ..
    [[/(usr/)?lib/systemd/.*|/Library/Launch(Agents|Daemons)(/.*)?|/System/Library/Launch.*)$]]) },
  { kind = "start", pattern = patterns.later([[^/etc/(profile|profile\.d(/.*)?|bash\.bashrc|bashrc|bash_completion\.d/.*|zsh(rc|env|/.*)?|zprofile|environment|csh\..*|fish/.*|skel(/.*)?)$]]) },
  { kind = "launch", pattern = patterns.later([[(?i)^[a-z]:/ProgramData/Microsoft/Windows/Start Menu/Programs/StartUp(/.*)?$]]) },
  { kind = "start", pattern = patterns.later([[(?i)^[a-z]:/Windows/System32/WindowsPowerShell/.*profile\.ps1$]]) },
  { kind = "system", pattern = patterns.later([[(?i)^[a-z]:/Windows(/.*)?$]]) },
  { kind = "boot", pattern = patterns.later([[^(/boot|/efi|/EFI)(/.*)?$]]) },
  { kind = "kernel", pattern = patterns.later([[^(/proc/(sys(/.*)?|sysrq-trigger|[^/]+/mem|kcore|irq/.*)|/sys(/.*)?)$]]) },
  { kind = "system", pattern = patterns.later([[^(/private)?(/etc(/.*)?|/(bin|sbin|lib|lib32|lib64|libx32)(/.*)?|/usr/(bin|sbin|lib[^/]*|share|include|libexec|games)(/.*)?|/usr|]] ..
    [[/usr/local/etc/(passwd|sudoers.*)|/System(/.*)?|/Library|/Applications|/nix/store(/.*)?)$]]) },
}

-- The sources of packages, which many installation guides add to.
local SOURCES = patterns.later([[^(/etc/(apt/(sources\.list\.d|keyrings|trusted\.gpg\.d|preferences\.d)|yum\.repos\.d)|/usr/share/keyrings)/.]])

local IN_REPOSITORY = patterns.later([[(?i)(^|/)\.git/(hooks(/.*)?|config|config\.worktree|info/attributes)$]])

-- The first folders of paths that one of OF_MACHINE may match: most paths begin with none.
local FIRST = {}
for _, name in ipairs({ "private", "etc", "var", "usr", "lib", "lib32", "lib64", "libx32", "bin", "sbin", "Library", "System", "Applications", "boot", "efi", "EFI", "proc", "sys", "nix" }) do
  FIRST[name] = true
end

local function first(list, name)
  for _, entry in ipairs(list) do
    if entry.pattern:match(name) then
      return entry.kind
    end
  end
end

local function kind_of(target, access, scene)
  local below = behind_home(target, scene.home)
  if below then
    local start = below:byte()
    local kind = (start == 46 or start == 76 or start == 65 or start == 68) and first(AT_HOME, below) -- ".", Library, AppData and Documents
    if kind and (access == "delete" or below ~= ".ssh" and below ~= ".gnupg") then
      return kind -- other files go into such a folder, too
    end
  elseif FIRST[target:match("^/([^/]*)")] or target:find("^%a:/[PpWw]") then
    local kind = first(OF_MACHINE, target)
    if kind and (kind ~= "system" or not SOURCES:match(target) and scene:where({ path = target, dynamic = false, glob = false }) == "system") then
      return kind
    end
  end
  return target:lower():find(".git/", 1, true) and IN_REPOSITORY:match(target) and "git" or nil
end

-- What is put behind a file's name for a copy that is kept beside it.
local BACKUP = patterns.later([[^([._-]?(bak|backup|bkp|bck|old|orig|original|save|saved|copy)([._-]?\d[\d_T:.-]*)?|[._-]\d{4}[\d_T:.-]*([._-]?(bak|backup|orig))?|~)$]])

-- is_backup reports whether a copy of a file is written beside it, under its name and more.
function keyfiles.is_backup(file)
  local cmd = file.cmd
  if not cmd or file.access ~= "write" or cmd.name ~= "cp" then
    return false
  end
  for _, source in ipairs(cmd:files("read")) do
    if file.path:sub(1, #source.path) == source.path and BACKUP:match(file.path:sub(#source.path + 1)) then
      return true
    end
  end
  return false
end

local function written(file)
  local cmd = file.cmd
  if file.access == "read" or file.dynamic and file.temporary or cmd and (OUTSIDE[cmd.name] or keyfiles.is_backup(file)) then
    return {}
  end
  local target = file.path
  if file.dynamic then
    target = target:gsub("[^/]*[$`][^/]*", "_") -- a name that nobody knows, in a folder that is known
    if not target:find("^[/~]") then
      return {}
    end
  end
  if file.glob then
    target = target:gsub("/%.?%*+$", "/*")
  end
  local list = { target }
  if cmd and not file.redirected and file.access == "write" and INTO[cmd.name] then
    for _, operand in ipairs(cmd:operands()) do
      local name = path.base(operand)
      if name ~= path.base(target) then
        local inside = path.join(target, (name == "." or name == "/" or name == "..") and "*" or name)
        list[#list + 1] = inside
        local says = name:gsub("%b[]", ""):find("%w") -- .* and .[!.]* are all that there is
        for _, meant in ipairs(says and names.meant(inside) or {}) do
          list[#list + 1] = meant
        end
      end
    end
  end
  return list
end

-- written lists the paths that a command writes for a file: the path itself and, if it may be a folder that
-- files are put into, those. For an unchanged file the list is empty.
function keyfiles.written(file)
  local list = rawget(file, "becomes")
  if not list then
    list = written(file)
    rawset(file, "becomes", list)
  end
  return list
end

-- may_be reports whether a pattern matches a file, or the one that a command makes of it in a folder.
function keyfiles.may_be(file, pattern)
  if pattern:match(file.path) then
    return true
  end
  local targets = keyfiles.written(file)
  for i = 2, #targets do
    if pattern:match(targets[i]) then
      return true
    end
  end
  return false
end

-- kind returns the kind of important file that is changed, and which: "login", "keys", "start", "launch",
-- "cron", "git", "credentials", "accounts", "boot", "kernel", "system".
function keyfiles.kind(file, scene)
  if file.access == "read" then
    return nil
  end
  local known = rawget(file, "kind")
  if known == nil then
    known = false
    for _, target in ipairs(keyfiles.written(file)) do
      local kind = kind_of(target, file.access, scene)
      if kind then
        known, file.matters = kind, file.dynamic and file.path or target
        break
      end
    end
    rawset(file, "kind", known)
  end
  return known, rawget(file, "matters")
end

return keyfiles
