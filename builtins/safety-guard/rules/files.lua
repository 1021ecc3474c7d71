-- Files that matter: those that give access, that run by themselves, that the machine needs, and that the user
-- has named.

local keyfiles = require("keyfiles")

local function of_kind(...)
  local kinds = {}
  for _, kind in ipairs({ ... }) do
    kinds[kind] = true
  end
  return function(file, scene)
    local kind, target = keyfiles.kind(file, scene)
    return kind and kinds[kind] and target or nil
  end
end

local function any_protected(_, scene)
  return #scene.settings.protect_paths > 0
end

local function is_protected(target, scene)
  for _, root in ipairs({ scene:root(), unpack(host.around) }) do
    for _, entry in ipairs(scene.settings.protect_paths) do
      local folder = path.is_abs(entry) and path.clean(entry) or path.join(root, entry)
      if path.match(entry, target, root) or path.inside(folder, target) or path.match(entry .. "/**", target, root) then
        return true
      end
    end
  end
end

-- Whether one file is copied beside itself, under a name that isn't protected: no folder is meant.
local function is_copy_beside(file, scene)
  return keyfiles.is_backup(file) and not file.cmd:flag("-r", "-R", "-a", "--recursive", "--archive")
    and not is_protected(file.path, scene) and not is_protected(host.real(file.path), scene)
end

-- Whether a path is one of protect_paths, or in one of them, or is touched with everything in it and they may be
-- there; as spelled, or by the links that it leads through.
local function protected(file, scene)
  if file.access == "read" or is_copy_beside(file, scene) then
    return nil
  end
  local reach = file.reach or { file.path, not file.cmd and file.access == "delete" and file.path .. "/" or nil }
  for _, target in ipairs(file.dynamic and not file.reach and {} or reach) do
    if not path.is_abs(target) then
      target = path.join(scene.cwd or scene:root(), target) .. (target:sub(-1) == "/" and "/" or "")
    end
    local real = host.real(target) .. (target:sub(-1) == "/" and "/" or "")
    if is_protected(target, scene) or real ~= target and is_protected(real, scene) then
      return target
    end
  end
end

-- Whether what a command reads begins with a yes.
local function says_yes(cmd)
  local input = cmd.input
  if not input then
    return false
  end
  for _, source in ipairs(input.from) do
    if source.name == "yes" then
      return not source:operands()[1] or re.match(source:operands()[1], "(?i)^y")
    end
  end
  return re.match(input.text, "(?i)^\\s*y(es)?\\b")
end

return { class = "files", title = "Files that matter", rules = {
  {
    id = "files.protected",
    severity = "high",
    on = "file",
    gate = any_protected,
    looks_at = "files that are written or deleted, by any tool, and protect_paths",
    when = protected,
    reason = "{detail} is protected: the user has it so in protect_paths.",
    advice = "Leave it as it is, and write somewhere else.",
    suggestion = "cat .env",
    tool = true,
    blocked = { "with protect_paths: [.env, migrations]: a write of migrations/001.sql" },
    passes = { "with protect_paths: [.env, migrations]: a write of src/main.go" },
  },
  {
    id = "files.login",
    severity = "high",
    on = "file",
    gate = keyfiles.kind,
    looks_at = "files that are written or deleted: authorized_keys",
    when = of_kind("login"),
    reason = "{detail} says who may log in here.",
    advice = "Show the user the line, for him to add.",
    suggestion = "cat ~/.ssh/authorized_keys",
    blocked = { "echo 'ssh-ed25519 AAAA x' >> ~/.ssh/authorized_keys", "cp key.pub /root/.ssh/authorized_keys", "cat key.pub | tee -a ~/.ssh/authorized_keys" },
    passes = { "cat ~/.ssh/authorized_keys", "chmod 600 ~/.ssh/authorized_keys", "cp authorized_keys fixtures/" },
  },
  {
    id = "files.keys",
    severity = "medium",
    on = "file",
    gate = keyfiles.kind,
    looks_at = "files that are written or deleted: keys, and the configuration of ssh",
    when = function(file, scene)
      local kind, target = keyfiles.kind(file, scene)
      -- it overwrites no key without asking
      return kind == "keys" and not (file.cmd and file.cmd.name == "ssh-keygen") and target or nil
    end,
    reason = "{detail} is a key, or says which one is used where.",
    advice = "Make a new one under another name, or ask the user.",
    suggestion = "ls ~/.ssh",
    blocked = { "echo 'Host *' >> ~/.ssh/config", "cp id_ed25519 ~/.ssh/" },
    passes = { "ls ~/.ssh", "ssh-keyscan github.com >> ~/.ssh/known_hosts", "cat ~/.ssh/config" },
  },
  {
    id = "files.shell-start",
    severity = "medium",
    on = "file",
    gate = keyfiles.kind,
    looks_at = "files that are written or deleted: what shells run when they start",
    when = of_kind("start"),
    reason = "{detail} is run by each shell that the user starts.",
    advice = "Set it for this command alone, or show the user the line.",
    suggestion = "export PATH=$PWD/bin:$PATH",
    blocked = { "echo 'export A=1' >> ~/.bashrc", "sed -i s/a/b/ ~/.zshrc", "cat > ~/.config/fish/config.fish < new", "cp .profile ~/" },
    passes = { "cat ~/.bashrc", "source ~/.bashrc", "cp ~/.bashrc backup", "echo 'export A=1' > .envrc" },
  },
  {
    id = "files.launch",
    severity = "medium",
    on = "file",
    gate = keyfiles.kind,
    looks_at = "files that are written or deleted: units, launch agents, autostart",
    when = of_kind("launch"),
    reason = "{detail} is run by the machine itself.",
    advice = "Keep it in the project, and let the user install it.",
    suggestion = "cp shop.service deploy/",
    blocked = { "sudo cp shop.service /etc/systemd/system/", "cat > ~/Library/LaunchAgents/x.plist < x", "cp x.desktop ~/.config/autostart/x.desktop" },
    passes = { "cat /etc/systemd/system/shop.service", "cp shop.service deploy/" },
  },
  {
    id = "files.cron-table",
    severity = "medium",
    on = "file",
    gate = keyfiles.kind,
    looks_at = "files that are written or deleted: tables of cron",
    when = of_kind("cron"),
    reason = "{detail} is run by cron.",
    advice = "Keep it in the project, and let the user install it.",
    suggestion = "crontab -l",
    blocked = { "echo '* * * * * root x' | sudo tee /etc/cron.d/x", "cp jobs /var/spool/cron/crontabs/kim" },
    passes = { "crontab -l", "cat /etc/crontab", "ls /etc/cron.d" },
  },
  {
    id = "files.crontab-remove",
    severity = "high",
    programs = { "crontab" },
    looks_at = "cmd: crontab -r",
    when = function(cmd)
      return cmd:flag("-r")
    end,
    reason = "This deletes all of the user's scheduled commands, and keeps no copy.",
    advice = "List them, and leave them.",
    suggestion = "crontab -l",
    blocked = { "crontab -r", "crontab -u kim -r" },
    passes = { "crontab -l", "crontab -u kim -l" },
  },
  {
    id = "files.crontab",
    severity = "medium",
    programs = { "crontab" },
    looks_at = "cmd: crontab with a file, or with its input",
    when = function(cmd)
      if cmd:flag("-l", "-e", "-V", "-T", "-r", "--help") then
        return nil
      end
      local operands = cmd:operands()
      local fed = cmd.input ~= nil
      for _, redirect in ipairs(cmd.redirects) do
        fed = fed or redirect.op:sub(1, 1) == "<"
      end
      return operands[1] and (operands[1] == "-" and "its input" or operands[1]) or fed and "its input"
    end,
    reason = "This replaces all of the user's scheduled commands by {detail}.",
    advice = "Show the user the line, for him to add with crontab -e.",
    suggestion = "crontab -l",
    blocked = { "crontab jobs.txt", "(crontab -l; echo '@daily x') | crontab -" },
    passes = { "crontab -l", "crontab -l > jobs.txt" },
  },
  {
    id = "files.unpacked-over",
    severity = "medium",
    programs = { "tar", "bsdtar", "gtar" },
    looks_at = "tar -x into / with --recursive-unlink or --unlink-first",
    when = function(cmd, scene)
      local file = cmd:flag("--recursive-unlink", "-U", "--unlink-first") and cmd:flag("-x", "--extract", "--get") and cmd:files("write")[1]
      local place = file and scene:place(file)
      return (place == "root" or place == "system" or place == "home" or place == "mount") and file.path
    end,
    reason = "This deletes what is in the way in {detail}, whole folders too, before it unpacks.",
    advice = "Unpack it into a folder of its own, and look at it.",
    suggestion = "tar -xzf backup.tgz -C /tmp/backup",
    blocked = { "tar -xzf backup.tgz -C / --recursive-unlink" },
    passes = { "tar -xzf s6.tgz -C /", "tar -xzf backup.tgz --recursive-unlink -C /tmp/x" },
  },
  {
    id = "files.keys-again",
    severity = "medium",
    programs = { "ssh-keygen" },
    looks_at = "cmd.input: a yes to the question whether the key that is there may be replaced",
    when = function(cmd, scene)
      if cmd:flag("-y", "-l", "-R", "-F", "-e", "-i", "-p", "-c", "-A", "-Y", "-r", "-B", "-k", "-Q", "-H", "-L") or not says_yes(cmd) then
        return nil
      end
      local file = cmd:files("write")[1]
      local place = file and scene:place(file)
      return place ~= "temp" and place ~= "tempdir" and (file and file.path or "~/.ssh/id_ed25519")
    end,
    reason = "This replaces {detail} if it is there: whatever knew the old key no longer lets the user in.",
    advice = "Give the new key a name of its own.",
    suggestion = "ssh-keygen -t ed25519 -N '' -f ~/.ssh/id_ed25519_shop",
    blocked = { "yes | ssh-keygen -t ed25519 -N '' -f ~/.ssh/id_ed25519", "ssh-keygen -t rsa -f ~/.ssh/id_rsa -N '' <<< y" },
    passes = { "ssh-keygen -t ed25519 -N '' -f ~/.ssh/id_shop", "yes | ssh-keygen -t rsa -N '' -f /tmp/key", "ssh-keygen -lf ~/.ssh/id_rsa.pub" },
  },
  {
    id = "files.git-settings",
    severity = "medium",
    on = "file",
    gate = keyfiles.kind,
    looks_at = "files that are written: git's hooks and configuration",
    when = function(file, scene)
      local kind, target = keyfiles.kind(file, scene)
      return kind == "git" and file.access == "write" and target or nil
    end,
    reason = "{detail} has git run programs, or says how it works.",
    advice = "Keep hooks in the project, or use git config for a setting.",
    suggestion = "cp pre-commit scripts/",
    blocked = { "cp x .git/hooks/pre-commit", "echo '[core]' >> .git/config", "cat > ~/.gitconfig < x" },
    passes = { "cat .git/config", "chmod +x .git/hooks/pre-commit", "cp pre-commit scripts/", "ls .git/hooks" },
  },
  {
    id = "files.credentials",
    severity = "medium",
    on = "file",
    gate = keyfiles.kind,
    looks_at = "files that are written or deleted: credentials in the home folder",
    when = of_kind("credentials"),
    reason = "{detail} has the user's credentials in it.",
    advice = "Use a file or a variable of the project's.",
    suggestion = "export KUBECONFIG=$PWD/kubeconfig",
    blocked = { "echo x > ~/.aws/credentials", "mv ~/.netrc old", "cp kubeconfig ~/.kube/config" },
    passes = { "cp kubeconfig ./kubeconfig.yaml", "echo 'save-exact=true' > .npmrc" },
  },
  {
    id = "files.accounts",
    severity = "critical",
    on = "file",
    gate = keyfiles.kind,
    looks_at = "files that are written or deleted: accounts, sudo, logins, mounts",
    when = of_kind("accounts"),
    reason = "{detail} decides who may log in, who is root, or whether the machine starts.",
    advice = "Show the user what should be in it.",
    suggestion = "cat /etc/passwd",
    blocked = { "echo 'kim ALL=(ALL) NOPASSWD: ALL' | sudo tee /etc/sudoers.d/kim", "echo x >> /etc/passwd", "sudo rm /etc/shadow", "sed -i s/a/b/ /etc/ssh/sshd_config" },
    passes = { "cat /etc/passwd", "grep kim /etc/group", "ls /etc/sudoers.d" },
  },
  {
    id = "files.boot",
    severity = "high",
    on = "file",
    gate = keyfiles.kind,
    looks_at = "files that are written or deleted: /boot",
    when = of_kind("boot"),
    reason = "Without {detail} this machine may not start again.",
    advice = "Leave it to the user.",
    suggestion = "ls /boot",
    blocked = { "sudo cp grub.cfg /boot/grub/grub.cfg", "rm /boot/vmlinuz" },
    passes = { "ls /boot", "cat /boot/grub/grub.cfg", "cp kernel boot/" },
  },
  {
    id = "files.kernel",
    severity = "medium",
    on = "file",
    gate = keyfiles.kind,
    looks_at = "files that are written: /proc/sys, /sys",
    when = of_kind("kernel"),
    reason = "{detail} is a switch of the kernel.",
    advice = "Read it; the user sets it.",
    suggestion = "cat /proc/sys/vm/swappiness",
    blocked = { "echo 3 | sudo tee /proc/sys/vm/drop_caches", "echo 1 > /sys/block/sda/device/delete" },
    passes = { "cat /proc/sys/vm/swappiness", "cat /sys/class/net/eth0/address" },
  },
  {
    id = "files.system",
    severity = "medium",
    on = "file",
    gate = keyfiles.kind,
    looks_at = "files that are written or deleted: /etc, /usr/bin and the like",
    when = of_kind("system"),
    reason = "{detail} belongs to the machine and not to the project.",
    advice = "Write into the project, and let the user put it there.",
    suggestion = "cp hosts ./hosts.new",
    blocked = { "echo '127.0.0.1 shop' | sudo tee -a /etc/hosts", "sudo cp nginx.conf /etc/nginx/", "sed -i s/a/b/ /etc/hosts", "sudo ln -sf /opt/x /usr/bin/python" },
    passes = { "cat /etc/hosts", "sudo cp tool /usr/local/bin/", "cp /etc/hosts ./hosts", "diff /etc/hosts hosts", "cat x > ./etc/hosts" },
  },
} }
