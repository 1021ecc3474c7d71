-- Pools, volumes, arrays and the keys to disks; the disk tools of other systems; the boot process.

-- With these options the command changes nothing.
local DRY = { "--help", "-h", "--version", "--test", "-t" }

local function verb(cmd, n)
  return (cmd:operands()[n or 1] or ""):lower()
end

-- diskutil's verbs are written in any case.
local ERASES = {
  erasedisk = true, erasevolume = true, zerodisk = true, randomdisk = true, secureerase = true, partitiondisk = true, reformat = true,
  mergepartitions = true, splitpartition = true, erasecd = true, eraseoptical = true, resizevolume = true,
}
local ERASES_BELOW = {
  apfs = { deletecontainer = true, deletevolume = true, deletevolumegroup = true, erasevolume = true, deletesnapshot = true, resizecontainer = true },
  appleraid = { delete = true, create = true, remove = true },
  corestorage = { delete = true, deletevolume = true, deletelvg = true },
}
ERASES_BELOW.ap, ERASES_BELOW.ar, ERASES_BELOW.cs = ERASES_BELOW.apfs, ERASES_BELOW.appleraid, ERASES_BELOW.corestorage

-- What a program does to a device, by a word of its own: the operands begin with one of these.
local VERBS = {
  zpool = { "destroy", "labelclear" },
  zfs = { "destroy", "rollback" },
  btrfs = { "subvolume delete", "device delete", "device remove" },
  cryptsetup = { "luksformat", "erase", "lukserase", "lukskillslot", "luksremovekey", "reencrypt" },
  dmsetup = { "remove", "remove_all", "wipe_table" },
  nvme = { "format", "sanitize", "write-zeroes", "delete-ns", "dsm", "write-uncor" },
  gpart = { "destroy", "delete", "recover" },
  geli = { "kill", "init", "clear" },
  gpt = { "destroy" },
  fastboot = { "erase", "format", "flashall", "flashing unlock", "oem unlock" },
  stratis = { "pool destroy", "filesystem destroy", "fs destroy" },
  vdo = { "remove" },
  ["ceph-volume"] = { "lvm zap", "zap" },
  diskpart = {},
}

-- begun returns the one of some words that a word is the beginning of, as btrfs takes them.
local function begun(words, word)
  for full in words:gmatch("%S+") do
    if word ~= "" and text.starts_with(full, word) then
      return full
    end
  end
  return word
end

local function by_verb(cmd)
  local verbs = VERBS[cmd.name]
  if not verbs or cmd:flag("--help", "-h", "--dry-run") or (cmd.name == "zfs" or cmd.name == "zpool") and cmd:flag("-n") then
    return nil
  end
  local first, second = verb(cmd), verb(cmd, 2)
  if (cmd.name == "zfs") and (first == "recv" or first == "receive") and cmd:flag("-F") then
    return "zfs " .. first .. " -F"
  elseif cmd.name == "fastboot" and cmd:flag("-w") then
    return "fastboot -w"
  elseif cmd.name == "btrfs" then
    first, second = begun("subvolume device", first), begun("delete remove", second)
  end
  for _, want in ipairs(verbs) do
    if (want == first or want == first .. " " .. second) and not (want == "rollback" and not cmd:flag("-r", "-R", "-f")) then
      return cmd.name .. " " .. want
    end
  end
end

-- Words and options that remove a part of an array, change the layout of volumes on disks, or cut off current
-- writes.
local RESHAPES = {
  btrfs = { "balance start", "device add", "filesystem resize", "check", "rescue zero-log", "rescue super-recover", "rescue chunk-recover", "replace start" },
  dmsetup = { "clear", "load", "create", "reload", "suspend" },
  zpool = { "create", "replace", "detach", "remove", "add", "offline" },
  mdadm = {}, lvresize = {}, lvconvert = {}, pvmove = { "" }, pvcreate = { "" }, vgcreate = { "" }, resize2fs = { "" }, debugfs = {}, umount = {}, mount = {},
  ["nbd-client"] = {}, xfs_repair = {}, asr = {},
}
local RESHAPES_BY = {
  mdadm = { "-S", "--stop", "-f", "--fail", "-r", "--remove", "-G", "--grow", "--set-faulty" },
  lvconvert = { "--merge", "--uncache", "--splitmirrors" },
  debugfs = { "-w" }, umount = { "-f", "--force", "-l", "--lazy" }, ["nbd-client"] = { "-d" }, xfs_repair = { "-L" }, asr = { "--erase", "-erase" },
}

-- Folders of the machine that all programs look into.
local VITAL = patterns.later("^/(?:bin|boot|dev|etc|home|lib|lib64|opt|root|sbin|usr|usr/(?:bin|lib|local|sbin)|var|var/(?:lib|log))?/?$")

-- covers returns a mount that puts something over such a folder, shows all of the machine elsewhere, or takes the right to write.
local function covers(cmd)
  local operands, options = cmd:operands(), cmd:flag("-o", "--options")
  local bound = cmd:flag("--bind", "-B", "--rbind", "-R", "--move", "-M") or type(options) == "string" and re.match(options, [[(?:^|,)r?bind(?:,|$)]])
  local target = operands[#operands] or ""
  if bound and (operands[1] == "/" or operands[2] and VITAL:match(operands[2])) then
    return "mount --bind " .. operands[1] .. " " .. (operands[2] or "")
  elseif type(options) == "string" and re.match(options, [[(?:^|,)remount(?:,|$)]]) and re.match(options, [[(?:^|,)ro(?:,|$)]]) then
    return VITAL:match(target) and "mount -o remount,ro " .. target
  end
end

local function reshapes(cmd)
  local name = cmd.name
  if cmd:flag("--help", "-h", "--test", "--dry-run") or (name == "zpool" or name == "resize2fs") and cmd:flag("-n", "-P") then
    return nil
  elseif RESHAPES_BY[name] and cmd:flag(unpack(RESHAPES_BY[name])) then
    return name
  elseif name == "lvresize" then
    for i, word in ipairs(cmd.args) do
      if re.match(word, "^(-[lL]|--size=|--extents=)-") or re.match(word, "^-[0-9]") and re.match(cmd.args[i - 1] or "", "^(-[lL]|--size|--extents)$") then
        return name
      end
    end
    return nil
  elseif name == "mount" then
    return covers(cmd)
  elseif name == "btrfs" and verb(cmd) == "check" then
    return cmd:flag("--repair", "--init-csum-tree", "--init-extent-tree") and "btrfs check --repair"
  end
  local first, second = verb(cmd), verb(cmd, 2)
  for _, want in ipairs(RESHAPES[name]) do
    if want == "" and first ~= "" or want == first or want == first .. " " .. second then
      return text.trim(name .. " " .. want)
    end
  end
end

-- Whether all that diskpart reads only shows something.
local function only_lists(cmd)
  local input = cmd.input
  if input.dynamic or input.text == "" then
    return false
  end
  for _, line in ipairs(text.split(input.text, "\n")) do
    if not re.match(line, [[(?i)^\s*(?:(?:list|detail|select|help|rem|exit)\b.*)?$]]) then
      return false
    end
  end
  return true
end

-- The programs of LVM, which are also words after lvm.
local REMOVES = { lvremove = true, vgremove = true, pvremove = true, lvreduce = true, vgreduce = true }

return { class = "disk", title = "Disks and devices", rules = {
  {
    id = "disk.erase",
    severity = "critical",
    programs = { "zpool", "zfs", "btrfs", "cryptsetup", "dmsetup", "nvme", "gpart", "geli", "gpt", "fastboot", "stratis", "vdo", "ceph-volume" },
    looks_at = "cmd: the words that destroy pools, file systems, volumes and keys",
    when = by_verb,
    reason = "{detail} destroys a disk, a file system or the key to one.",
    advice = "Look at what is there; destroying it is for the user.",
    suggestion = "zfs list",
    blocked = { "zpool destroy tank", "zfs destroy -r tank/home", "cryptsetup luksFormat /dev/sda2", "nvme format /dev/nvme0n1", "btrfs subvolume delete /mnt/data", "fastboot flashing unlock", "zfs recv -F tank/data" },
    passes = { "zpool status tank", "zfs destroy -n tank/home", "cryptsetup luksDump /dev/sda2", "nvme list", "zfs rollback tank/home@monday" },
  },
  {
    id = "disk.volumes",
    severity = "critical",
    programs = { "lvremove", "vgremove", "pvremove", "lvreduce", "vgreduce", "lvm" },
    looks_at = "cmd: the programs of LVM that remove or shrink",
    when = function(cmd)
      local name = cmd.name == "lvm" and verb(cmd) or cmd.name
      return REMOVES[name] and #cmd:operands() > (cmd.name == "lvm" and 1 or 0) and not cmd:flag(unpack(DRY)) and name
    end,
    reason = "{detail} takes volumes away, with all that is on them.",
    advice = "Try it with --test, and leave the rest to the user.",
    suggestion = "lvremove --test vg0/data",
    blocked = { "lvremove -f vg0/data", "sudo vgremove vg0", "lvm pvremove /dev/sdb1" },
    passes = { "lvremove --test vg0/data", "lvs", "lvm lvdisplay vg0/data", "pvremove --help" },
  },
  {
    id = "disk.reshape",
    severity = "medium",
    programs = { "btrfs", "dmsetup", "zpool", "mdadm", "lvresize", "lvconvert", "pvmove", "pvcreate", "vgcreate", "resize2fs", "debugfs", "umount", "mount", "nbd-client",
      "xfs_repair", "asr" },
    looks_at = "cmd: words and options that change how volumes and arrays lie on disks, or force them off",
    when = reshapes,
    reason = "{detail} changes what lies on disks, or takes a disk away while it is written.",
    advice = "Look at what is there; the user changes it.",
    suggestion = "mdadm --detail /dev/md0",
    blocked = { "mdadm --stop /dev/md0", "lvresize -L -5G vg0/data", "umount -f /mnt/data", "pvcreate /dev/sdb", "btrfs check --repair /dev/sdb", "mount --bind /tmp/empty /etc", "sudo mount -o remount,ro /" },
    passes = { "umount /mnt/data", "lvresize -L +5G vg0/data", "mdadm --examine /dev/sda1", "btrfs check /dev/sdb", "mount --bind src /mnt/src", "mount -o remount,ro /mnt/usb" },
  },
  {
    id = "disk.arrays",
    severity = "critical",
    programs = { "mdadm", "hdparm", "sg_format", "sg_sanitize", "flash_erase", "flash_eraseall", "fdformat" },
    looks_at = "cmd: options of mdadm and hdparm that erase",
    when = function(cmd)
      if cmd:flag("--help", "-h") then
        return nil
      elseif cmd.name == "mdadm" then
        return cmd:flag("--zero-superblock", "--kill-subarray") and "mdadm --zero-superblock"
          or cmd:flag("-C", "--create") and "mdadm --create" or nil
      elseif cmd.name == "hdparm" then
        return cmd:flag("--security-erase", "--security-erase-enhanced", "--trim-sector-ranges", "--trim-sector-ranges-stdin", "--write-sector",
          "--repair-sector", "--make-bad-sector", "--dco-restore", "--sanitize-block-erase", "--sanitize-crypto-scramble", "--sanitize-overwrite", "--fwdownload") and "hdparm" or nil
      end
      return #cmd:operands() > 0 and cmd.name or nil
    end,
    reason = "{detail} erases a disk, or what makes disks one array.",
    advice = "Only look at it; the user erases disks.",
    suggestion = "mdadm --detail /dev/md0",
    blocked = { "mdadm --zero-superblock /dev/sdb1", "hdparm --user-master u --security-erase pw /dev/sda" },
    passes = { "mdadm --detail /dev/md0", "hdparm -I /dev/sda" },
  },
  {
    id = "disk.diskutil",
    severity = "critical",
    programs = { "diskutil" },
    looks_at = "cmd: verbs of diskutil that erase, partition or delete",
    when = function(cmd)
      local first, second = verb(cmd), verb(cmd, 2)
      if ERASES[first] then
        return first
      end
      return ERASES_BELOW[first] and ERASES_BELOW[first][second] and first .. " " .. second
    end,
    reason = "diskutil {detail} erases what is on the disk.",
    advice = "List the disks; erasing one is for the user.",
    suggestion = "diskutil list",
    blocked = { "diskutil eraseDisk JHFS+ Untitled /dev/disk2", "diskutil apfs deleteContainer disk1" },
    passes = { "diskutil list", "diskutil info /dev/disk0", "diskutil mount /dev/disk2s1", "diskutil apfs list" },
  },
  {
    id = "disk.windows",
    severity = "critical",
    programs = { "format", "format.com", "diskpart", "Format-Volume", "Clear-Disk", "Remove-Partition", "Initialize-Disk", "cipher", "Resize-Partition",
      "Set-Partition", "Remove-VirtualDisk", "Remove-StoragePool", "Reset-PhysicalDisk", "Remove-PhysicalDisk", "Clear-PmemDisk" },
    looks_at = "cmd: format of a drive, and what PowerShell does to disks",
    when = function(cmd)
      if cmd.name == "format" or cmd.name == "format.com" then
        return re.match(table.concat(cmd.args, " "), [[(^| )[A-Za-z]:\\?( |$)]]) and cmd.name
      elseif cmd.name == "diskpart" then
        return (cmd.args[1] or "") ~= "/?" and (#cmd.args > 0 or cmd.input and not only_lists(cmd)) and cmd.name or nil
      elseif cmd.name == "cipher" then
        return re.match(cmd.args[1] or "", "^/[wW]") and cmd.name
      end
      return not cmd:flag("-WhatIf") and cmd.name
    end,
    reason = "{detail} erases a disk.",
    advice = "List the disks; erasing one is for the user.",
    suggestion = "lsblk",
    blocked = { "format c: /q", "diskpart /s wipe.txt", "Clear-Disk -Number 1 -RemoveData" },
    passes = { "format src", "cipher /e secret", "echo list disk | diskpart" },
  },
  {
    id = "disk.boot-loader",
    severity = "medium",
    programs = { "grub-install", "grub2-install", "efibootmgr", "bootctl", "flashrom" },
    looks_at = "cmd: programs that change how a machine starts",
    when = function(cmd)
      if cmd:flag("--help", "-h", "--version", "-V") then
        return nil
      elseif cmd.name == "efibootmgr" then
        return cmd:flag("-B", "--delete-bootnum", "-O", "--delete-bootorder", "-o", "--bootorder", "-c", "--create") and cmd.name
      elseif cmd.name == "bootctl" then
        return re.match(verb(cmd), "^(install|remove|update)$") and cmd.name
      elseif cmd.name == "flashrom" then
        return cmd:flag("-w", "--write", "-E", "--erase") and cmd.name
      end
      return #cmd:operands() > 0 and cmd.name
    end,
    reason = "{detail} changes how this machine starts.",
    advice = "Leave it to the user.",
    suggestion = "efibootmgr -v",
    blocked = { "grub-install /dev/sda", "efibootmgr -b 0003 -B" },
    passes = { "efibootmgr -v", "bootctl status" },
  },
} }
