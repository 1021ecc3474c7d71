-- Other machines: deleting and overwriting there, and giving access.

local reached = require("reached")

-- Programs that reach a machine or a cluster's pod rather than a container of this machine.
local REACHES = patterns.later([[^(?:(?:auto|hpn)?ssh|mosh|slogin|gcloud|vagrant|rsync|scp|kubectl|oc|az|aws|fly|flyctl|eb|minikube|colima|multipass|limactl|ansible|pdsh|pssh|parallel-ssh|clush|dsh|wsl|knife|bolt|kamal|heroku|juju|tsh|salt|consul|mco|platform|upsun|railway|adb)\b]])

-- Whether the container existed before: one that docker run makes has nothing to lose.
local function kept(cmd)
  for _, how in ipairs(cmd.via) do
    if how:find(" exec", 1, true) then
      return true
    end
  end
  return false
end

local function kind(cmd)
  for _, how in ipairs(cmd.via) do
    if REACHES:match(how) then
      return "machine"
    end
  end
  return "container"
end

local TEMP = patterns.later([[^(?:/private)?/(?:tmp|var/tmp|dev/shm)/.]])
local SYSTEM = patterns.later([[^/(?:etc|boot|usr|bin|sbin|lib|lib32|lib64|dev|proc|sys|root|run|var/(?:lib|spool|run|cache/apt)|System|Library)(?:/|$)]])
local TOP = patterns.later([[^/[^/]*(?:/\*)?$|^/(?:home|Users|mnt|media|Volumes|var)/[^/]*(?:/\*)?$]])
local KEYS = patterns.later([[/\.ssh(?:/|$)|/\.(?:bash|zsh|profile)[^/]*$]])
local HARMLESS_DEVICE = patterns.later([[^/dev/(?:null|zero|full|tty|stdin|stdout|stderr|fd/.*|shm/.*)$]])
local DISK = patterns.later([[^/dev/(?:[sv]d[a-z]|xvd|nvme|mmcblk|disk|rdisk|md\d|dm-|mapper/|loop\d|mem$|kmem$|port$)]])

local function recursive(cmd)
  return cmd.name ~= "rm" and cmd.name ~= "unlink" and cmd.name ~= "mv" or cmd:flag("-r", "-R", "--recursive") ~= false
end

local DELETERS = { "rm", "rmdir", "unlink", "shred", "srm", "wipe", "rimraf", "find", "fd", "fdfind", "mv", "truncate", "rsync", "gio", "trash", "busybox", "toybox", "git" }

-- The first file that is deleted on another machine and passes the test.
local function deleted(cmd, test)
  if not cmd.remote or cmd:flag("--help", "--version") then
    return nil
  end
  local files = cmd:remote_files("delete")
  if #files == 0 then
    return nil
  end
  local where = kind(cmd)
  local chosen = cmd.name == "find" and cmd:flag("-name", "-iname", "-path", "-mtime", "-mmin", "-user", "-size", "-empty") ~= false
  for _, file in ipairs(files) do
    if not TEMP:match(file.path) and not (chosen and TEMP:match(file.path .. "/x")) and test(file, where) then
      return file.path
    end
  end
end

-- Where servers keep their data and telephones their pictures, home folders, and what a system consists of.
local KEEPS = patterns.later([[^(/var/lib/(postgres\w*|pgsql|mysql|mariadb|mongo\w*|redis|docker|containerd|etcd|kubelet|rancher|elasticsearch|influxdb|cassandra|rabbitmq|grafana|gitlab|jenkins|vault|consul)|/sdcard(/(DCIM|Pictures|Movies|Music|Documents|Download))?|/storage/emulated(/\d+)?|/data/(media|data|user)|/(home|Users)/[^/]+|/usr/\w+|/etc/\w+|/(srv|opt|data|var/www)/[\w./-]+/(data|pgdata|uploads|backups?|db|storage|volumes))(/(main|data|\d+|\*)(/main|/data|/\*)?)?/?$]])

local function vital(file, scene)
  local target = file.path
  if target == "~" then
    return true
  end
  return not file.dynamic and target ~= "/tmp" and (TOP:match(target) or SYSTEM:match(target) or KEEPS:match(target) or scene.home and path.inside(target, scene.home))
end

local function written(cmd)
  if not cmd.remote then
    return nil
  end
  local where = kind(cmd)
  for _, file in ipairs(cmd:remote_files("write")) do
    local target = file.path
    if DISK:match(target) or where == "machine" and not HARMLESS_DEVICE:match(target) and not TEMP:match(target)
      and (SYSTEM:match(target) or KEYS:match(target) or target == "/") then
      return target
    end
  end
end

-- Where scp and rsync put their copies: the path after "host:".
local TARGET = patterns.later([=[^(?:[a-z]+://[^/]+|(?:[^/:]|\[[^\]]*\])+:{1,2})(/.*)$]=])
local SPARED = patterns.later([[^/var/(?:www|tmp|log|folders|opt)(?:/|$)]])
local PROTECTED = patterns.later([[^/(?:(?:etc|boot|usr|bin|sbin|lib|lib32|lib64|dev|proc|sys|root|run|var|System|Library)(?:/|$)|$)]])

local function target_of(cmd)
  local operands = cmd:operands()
  local last = operands[#operands] or ""
  if not TARGET:match(last) then
    return nil
  end
  local target = path.clean((last:gsub("^%a+://[^/]+", ""):gsub("^[^/]*:", "")))
  return PROTECTED:match(target) and not SPARED:match(target) and last or KEYS:match(target) and last or nil
end

-- Lines of sftp and lftp that delete.
local SFTP = patterns.later([[(?im)^\s*[-@]*(?:rm|rmdir|del|delete|mdelete)\s]])
local LFTP = patterns.later([[(?i)(?:^|[;\n]\s*)\s*(?:glob\s+)?(?:rm|mrm|rmdir)\s|\bmirror\b[^;\n]*(?:--delete|--Remove-source|\s-\w*e)]])

local function session(cmd)
  local given = cmd.input and cmd.input.text or ""
  if cmd.name == "lftp" then
    local script = cmd:flag("-e", "-c")
    return (LFTP:match(given) or type(script) == "string" and LFTP:match(script)) and "lftp" or nil
  end
  return SFTP:match(given) and cmd.name or nil
end

local TAKES_AWAY = patterns.later([[^(?:forget|prune|delete|destroy|rollback|remove.*|compact|break-lock|cleanup|unlock|rewrite|recreate|erase|deletelocalsnapshots|thinlocalsnapshots|rm|gc|recover|disconnect|expire|undochange|delete-\S+|repo-delete|prune-\S+|garbage-collect\S*)$]])
local RSYNC_DELETES = { "--delete", "--del", "--delete-before", "--delete-during", "--delete-delay", "--delete-after", "--delete-excluded", "--delete-missing-args" }
local RSYNC_DRY = { "-n", "--dry-run", "--list-only", "--help", "--version" }

return { class = "remote", title = "Other machines and copies", rules = {
  {
    id = "remote.delete-vital",
    severity = "high",
    remote = true,
    needs = { "remote" },
    looks_at = "cmd:remote_files(\"delete\"): a folder of the system, a home folder, a disk",
    when = function(cmd, scene)
      return deleted(cmd, function(file, where)
        return recursive(cmd) and vital(file, scene) and (where == "machine" or file.path == "/" or file.path == "/*")
      end)
    end,
    always = function(cmd, scene) -- a container's folders are often made again
      return deleted(cmd, function(file, where)
        return where == "machine" and not file.dynamic and (file.path == "~" or path.dir(path.clean(file.path)) == "/" or KEEPS:match(file.path))
      end)
    end,
    reason = "This deletes {detail} on another machine, where nothing brings it back.",
    advice = "Look at what is there, and have the user delete it.",
    suggestion = "ssh shop.example ls -la /data",
    blocked = { "ssh shop.example rm -rf /data", "ssh shop.example 'cd / && sudo rm -rf etc'", "docker exec web rm -rf /" },
    passes = { "ssh shop.example ls /data", "ssh shop.example 'rm -rf /tmp/build'", "docker exec web rm -rf /app/cache" },
  },
  {
    id = "remote.delete",
    severity = "medium",
    programs = DELETERS,
    looks_at = "cmd:remote_files(\"delete\"): whole folders",
    when = function(cmd, scene)
      return deleted(cmd, function(file, where)
        if where == "container" then
          return recursive(cmd) and (vital(file, scene) or file.dynamic and file.path:find("$", 1, true)) and kept(cmd)
        end
        return recursive(cmd) or reached.as_admin(cmd) or vital(file, scene) or KEYS:match(file.path) or file.glob and path.base(file.path) == "*"
      end)
    end,
    reason = "This deletes {detail} on another machine.",
    advice = "Look at what is there, and have the user agree.",
    suggestion = "ssh shop.example du -sh releases",
    blocked = { "ssh shop.example rm -rf releases/12", "ssh shop.example 'cd /srv/app && rm -r old'", "kubectl exec web-0 -- rm -rf /srv/uploads/2024", "ssh shop.example find /srv/logs -mtime +30 -delete" },
    passes = { "ssh shop.example rm notes.txt", "ssh shop.example 'rm -rf /tmp/build'", "docker run --rm alpine rm -rf /data", "kubectl exec web-0 -- ls /srv/uploads" },
  },
  {
    id = "remote.write",
    severity = "medium",
    needs = { "remote" },
    looks_at = "cmd:remote_files(\"write\"): folders of the system, keys, disks",
    when = written,
    reason = "This writes to {detail} on another machine.",
    advice = "Put it into a folder for temporary files there, and have the user install it.",
    suggestion = "scp app.conf shop.example:/tmp/",
    blocked = { "ssh shop.example 'echo x >> /etc/hosts'", "cat id.pub | ssh shop.example 'cat >> ~/.ssh/authorized_keys'", "ssh shop.example sudo cp app.conf /etc/nginx/" },
    passes = { "ssh shop.example cat /etc/hosts", "ssh shop.example 'ls > /dev/null'", "ssh shop.example 'echo x > /tmp/y'" },
  },
  {
    id = "remote.copy",
    severity = "high",
    programs = { "scp", "rsync", "rcp", "pscp" },
    looks_at = "cmd:operands(): the last, where it names another machine",
    when = function(cmd)
      return not cmd:flag("--help", "--dry-run", "--list-only") and not (cmd.name == "rsync" and cmd:flag("-n")) and target_of(cmd)
    end,
    reason = "This overwrites what belongs to the system or decides who gets in: {detail}.",
    advice = "Copy it to a folder of the user there, and have somebody put it in its place.",
    suggestion = "scp app.conf shop.example:/tmp/",
    blocked = { "scp app.conf root@shop.example:/etc/", "scp -r bin/ root@shop.example:/usr/bin/", "rsync -a conf/ shop.example:/etc/app/", "scp key.pub shop.example:/home/kim/.ssh/authorized_keys" },
    passes = { "scp app.conf shop.example:/tmp/", "scp shop.example:/etc/hosts .", "scp app.conf shop.example:/home/kim/", "rsync -avz dist/ shop.example:/var/www/shop/", "scp -h" },
  },
  {
    id = "remote.rsync-delete",
    severity = "medium",
    programs = { "rsync" },
    looks_at = "cmd:flag(): --delete and its like",
    when = { flag = RSYNC_DELETES, unless = RSYNC_DRY, also = function(cmd)
      local operands = cmd:operands()
      return not TEMP:match(operands[#operands] or "")
    end },
    reason = "rsync --delete deletes all in the target that the source doesn't have; with a wrong source, everything.",
    advice = "See with --dry-run what would go, and show it to the user.",
    suggestion = "rsync -a --delete --dry-run dist/ shop.example:/srv/app/",
    blocked = { "rsync -a --delete dist/ shop.example:/srv/app/", "rsync -avz --delete-excluded dist/ shop.example:/srv/app/", "rsync -a --del dist/ shop.example:app/" },
    passes = { "rsync -a dist/ shop.example:/srv/app/", "rsync -avn --delete dist/ shop.example:/srv/app/", "rsync -a --checksum src/ dest/", "rsync -a --delete dist/ /tmp/dist/" },
  },
  {
    id = "remote.rsync-move",
    severity = "medium",
    programs = { "rsync" },
    looks_at = "cmd:flag(\"--remove-source-files\")",
    when = { flag = { "--remove-source-files", "--remove-sent-files" }, unless = RSYNC_DRY },
    reason = "rsync --remove-source-files deletes each file here once it is there.",
    advice = "Copy without, and compare before anything is deleted.",
    suggestion = "rsync -a --checksum data/ shop.example:data/",
    blocked = { "rsync -a --remove-source-files data/ shop.example:data/" },
    passes = { "rsync -a data/ shop.example:data/", "rsync -a -n --remove-source-files data/ shop.example:data/" },
  },
  {
    id = "remote.keys",
    severity = "medium",
    programs = { "ssh-keygen", "ssh-add", "ssh-copy-id" },
    looks_at = "cmd:flag(): -R, -D, -d",
    when = function(cmd)
      if cmd:flag("--help", "-h") and cmd.name ~= "ssh-keygen" or cmd:flag("--help") then
        return nil
      elseif cmd.name == "ssh-keygen" then
        return cmd:flag("-R") and "ssh-keygen -R" or nil
      elseif cmd.name == "ssh-add" then
        return cmd:flag("-D", "-d") and "ssh-add -D" or nil
      end
      return not cmd:flag("-n") and #cmd.args > 0 and "ssh-copy-id" or nil
    end,
    reason = "{detail} changes which machines are trusted, or which keys open them.",
    advice = "Look up what is known, and have the user change it.",
    suggestion = "ssh-keygen -F shop.example",
    blocked = { "ssh-keygen -R shop.example", "ssh-keygen -f ~/.ssh/known_hosts -R 10.0.0.7", "ssh-add -D", "ssh-copy-id kim@shop.example" },
    passes = { "ssh-keygen -F shop.example", "ssh-add -l", "ssh-keyscan shop.example", "ssh-keygen -lf key.pub" },
  },
  {
    id = "remote.session",
    severity = "medium",
    programs = { "sftp", "ftp", "lftp" },
    looks_at = "cmd.input, and the scripts of lftp",
    when = session,
    reason = "{detail} deletes files on another machine.",
    advice = "List them, and have the user agree.",
    suggestion = "echo 'ls logs' | sftp shop.example",
    blocked = { "echo 'rm logs/*' | sftp shop.example", "lftp -e 'mirror -R --delete dist /www; quit' shop.example" },
    passes = { "echo 'get a.txt' | sftp shop.example", "sftp -b fetch.txt shop.example" },
  },
  {
    id = "remote.backups",
    severity = "medium",
    programs = { "restic", "rustic", "borg", "borgmatic", "kopia", "duplicity", "duplicacy", "tarsnap", "bup", "rdiff-backup", "tmutil", "snapper", "timeshift", "proxmox-backup-client", "proxmox-backup-manager", "plakar", "bupstash", "urbackupsrv" },
    looks_at = "cmd:operands() and options of single programs",
    when = function(cmd)
      local o, name = cmd:operands(), cmd.name
      if cmd:flag("--dry-run", "--help") or name ~= "duplicacy" and cmd:flag("-n") then
        return nil
      elseif name == "tarsnap" then
        return cmd:flag("-d", "--nuke") and "tarsnap -d" or nil
      elseif name == "timeshift" then
        return cmd:flag("--delete", "--delete-all", "--restore") and "timeshift" or nil
      elseif name == "rdiff-backup" and cmd:flag("--remove-older-than") then
        return "rdiff-backup"
      end
      if name == "restic" and o[1] == "key" and (o[2] == "remove" or o[2] == "passwd") then
        return "restic key " .. o[2]
      end
      for i = 1, 3 do
        if o[i] and TAKES_AWAY:match(o[i]) and (name ~= "restic" or i == 1) then
          return name .. " " .. table.concat(o, " ", 1, i)
        end
      end
    end,
    always = function(cmd) -- all of them, or what no retention policy chooses
      local o = cmd:operands()
      return cmd:flag("--nuke", "--delete-all", "--unsafe-allow-remove-all") or cmd.name == "borg" and (o[1] == "delete" and not re.match(o[2] or "", "::.") or o[1] == "repo-delete")
        or cmd.name == "kopia" and cmd:flag("--all-snapshots-for-source") or cmd.name == "tmutil" and not re.match(table.concat(cmd.args, " "), [[\d{4}-\d\d-\d\d]])
        or cmd.name == "proxmox-backup-manager" and cmd:flag("--destroy-data") or cmd.name == "duplicity" and re.match(o[1] or "", "^remove-all-but-n-full$") and o[2] == "0"
    end,
    reason = "{detail} deletes backups or snapshots, from which everything else could be restored.",
    advice = "List them, and have the user agree.",
    suggestion = "restic snapshots",
    blocked = { "restic forget --keep-last 1 --prune", "borg delete repo::monday", "tmutil deletelocalsnapshots /" },
    passes = { "restic snapshots", "borg list repo", "restic forget --keep-last 1 --dry-run" },
  },
  {
    id = "remote.any-delete",
    severity = "medium",
    level = "strict",
    programs = DELETERS,
    looks_at = "cmd:remote_files(\"delete\")",
    when = function(cmd)
      return deleted(cmd, function()
        return true
      end)
    end,
    reason = "This deletes {detail} on another machine or in a container.",
    advice = "Look at what is there, and have the user agree.",
    suggestion = "ssh shop.example ls",
    blocked = { "ssh shop.example rm notes.txt", "docker exec web rm /app/cache" },
    passes = { "ssh shop.example ls", "ssh shop.example rm /tmp/x" },
  },
} }
