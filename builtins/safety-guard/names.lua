-- The files that rules know by their names. A pattern of a shell may stand for one: .h*/a.lua for .hooks/a.lua.

local index = require("index")

local names = {}

-- Ends of paths, and paths from the root on, one a line. A longer path stands for its folders, too.
local FILES = [[
.hooks
.git
.git/HEAD
.git/config
.git/config.worktree
.git/hooks
.git/info/attributes
.config/luahook
.local/state/luahook
.local/share/luahook
etc/luahook
Application Support/luahook
AppData/Roaming/luahook
AppData/Local/luahook
bin/luahook
cmd/luahook
bin/luahook.exe
.claude/settings.json
.claude/settings.local.json
.claude/hooks
.codex/config.toml
.codex/requirements.toml
.codex/hooks.json
.codex/hooks
.gemini/settings.json
.gemini/hooks
.qwen/settings.json
.qwen/hooks
.cursor/hooks.json
.cursor/hooks
.github/hooks
.copilot/hooks
.copilot/config.json
.copilot/settings.json
.windsurf/hooks.json
.windsurf/hooks
.codeium/windsurf/hooks.json
.codeium/windsurf/hooks
.opencode/plugin
.opencode/plugins
.opencode/opencode.json
.opencode/opencode.jsonc
.opencode/config.json
.config/opencode/plugin
.config/opencode/plugins
.config/opencode/opencode.json
.config/opencode/opencode.jsonc
.config/opencode/config.json
opencode.json
opencode.jsonc
.kiro/hooks
.kiro/agents
.factory/hooks.json
.factory/settings.json
.factory/hooks
.crush.json
crush.json
.amp/plugins
.amp/settings.json
.config/amp/plugins
.config/amp/settings.json
.clinerules/hooks
cline/hooks
.augment/settings.json
.augment/hooks
.continue/config.yaml
.continue/config.json
.continue/hooks
etc/claude-code
etc/codex
Application Support/ClaudeCode
.ssh
.ssh/authorized_keys
.ssh/authorized_keys2
.ssh/rc
.ssh/environment
.ssh/config
.ssh/id_rsa
.ssh/id_dsa
.ssh/id_ecdsa
.ssh/id_ed25519
.ssh/id_ed25519_sk
.gnupg
.bashrc
.bash_profile
.bash_login
.bash_logout
.bash_aliases
.profile
.zshrc
.zshenv
.zprofile
.zlogin
.zlogout
.kshrc
.cshrc
.tcshrc
.login
.logout
.xprofile
.xinitrc
.xsession
.xsessionrc
.pam_environment
.config/fish/config.fish
.config/fish/conf.d
.config/fish/functions
.config/nushell/config.nu
.config/nushell/env.nu
.config/powershell/profile.ps1
.config/environment.d
.config/systemd/user
.config/autostart
.config/autostart-scripts
.local/share/systemd/user
.zsh/.zshrc
.zshrc.d
.zshenv.d
.zsh.d
.bashrc.d
Documents/PowerShell/profile.ps1
Documents/WindowsPowerShell/profile.ps1
Library/LaunchAgents
Library/LaunchDaemons
.gitconfig
.config/git/config
.config/git/attributes
.git-template
.git-templates
.aws/credentials
.aws/config
.kube/config
.docker/config.json
.netrc
.pypirc
.git-credentials
.config/gh/hosts.yml
.azure/accessTokens.json
.config/gcloud/credentials.db
.npmrc
.pgpass
.my.cnf
.vault-token
.cargo/credentials
.cargo/credentials.toml
.gem/credentials
.config/sops/age
.password-store
.env
.env.local
.env.production
.envrc
.dockercfg
.s3cfg
.boto
.htpasswd
/etc
/etc/passwd
/etc/shadow
/etc/gshadow
/etc/group
/etc/sudoers
/etc/sudoers.d
/etc/pam.d
/etc/security
/etc/ssh
/etc/ld.so.preload
/etc/ld.so.conf
/etc/nsswitch.conf
/etc/fstab
/etc/crontab
/etc/anacrontab
/etc/cron.d
/etc/systemd
/etc/init.d
/etc/rc.local
/etc/xdg/autostart
/etc/update-motd.d
/etc/NetworkManager/dispatcher.d
/etc/udev
/etc/profile
/etc/profile.d
/etc/bash.bashrc
/etc/bashrc
/etc/zshrc
/etc/zsh
/etc/environment
/etc/skel
/etc/hosts
/private/etc
/private/etc/passwd
/private/etc/sudoers
/private/etc/hosts
/var
/var/spool/cron
/var/cron
/var/root
/usr
/usr/bin
/usr/sbin
/usr/lib
/usr/lib64
/usr/share
/usr/include
/usr/libexec
/usr/local/etc/sudoers
/lib/systemd
/lib
/lib64
/bin
/sbin
/boot
/efi
/Library
/System/Library
/Applications
/nix/store
/root
/home
/Users
/opt
/run
/proc
/proc/sysrq-trigger
/proc/sys
/proc/kcore
/sys
/dev
/dev/null
/dev/zero
/dev/urandom
/dev/sda
/dev/sda1
/dev/sdb
/dev/sdc
/dev/sdd
/dev/vda
/dev/vda1
/dev/xvda
/dev/hda
/dev/nvme0n1
/dev/nvme0n1p1
/dev/nvme1n1
/dev/mmcblk0
/dev/disk/by-id
/dev/disk/by-uuid
/dev/disk0
/dev/disk1
/dev/rdisk0
/dev/mapper/root
/dev/dm-0
/dev/md0
/dev/loop0
/dev/mem
/dev/kmem
/dev/port]]

-- What else is guarded on this machine: luahook's own folders, the user's, and what the project's hooks are found by.
local function own_names()
  local list = { host.config or "", host.state or "", host.managed or "", host.home or "" }
  for i, folder in ipairs(host.hooks) do
    list[#list + 1] = folder
    list[#list + 1] = path.join(host.rooted[i], ".git/HEAD")
  end
  return list
end

local known

-- all returns the option names of shell.parse.
function names.all()
  if not known then
    local files, programs = text.lines(FILES), {}
    for _, name in ipairs(own_names()) do
      if name ~= "" then
        files[#files + 1] = name
      end
    end
    for _, part in ipairs({ index.core, index.always, require("index_more").packs }) do
      for _, words in pairs(part) do
        programs[#programs + 1] = words
      end
    end
    known = patterns.names(files, programs)
  end
  return known
end

-- meant lists the paths that one with patterns may stand for.
function names.meant(target)
  return target:find("[*?[(]") and names.all():meant(target) or {}
end

return names
