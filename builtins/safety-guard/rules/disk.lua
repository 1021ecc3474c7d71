-- Disks: writing to a device, past its file system, destroys everything on it at once.

local devices = require("devices")

-- Programs whose write to a device is no loss, or that have rules of their own.
local OWN = {}
for _, name in ipairs({ "mount", "umount", "losetup", "swapoff", "mknod", "chmod", "chown", "chgrp", "setfacl", "chattr", "chcon", "touch", "ln", "mkdir",
  "diskutil", "hdparm", "mdadm", "fsck", "e2fsck", "tune2fs", "e2label", "resize2fs", "partprobe", "parted",
  "pvcreate", "vgcreate", "lvcreate", "pvremove", "vgremove", "lvremove", "rm", "unlink", "shred" }) do
  OWN[name] = true
end

local FORMATS = patterns.later([[^(mkfs(\..+)?|mke2fs|mkswap|newfs(_.+)?|mkdosfs|mkntfs|mkexfatfs|mkudffs|mkreiserfs|mkfatfs|mkvfat)$]])
local TABLES = { fdisk = true, sfdisk = true, cfdisk = true, gdisk = true, sgdisk = true, cgdisk = true }
local WIPES = { wipefs = true, blkdiscard = true, badblocks = true }

-- The programs with rules of their own, by what they do with a written device.
local function kind_of(name)
  if not name then
    return "write"
  elseif name:sub(1, 2) == "mk" or name:sub(1, 5) == "newfs" then
    return FORMATS:match(name) and "format" or "write"
  elseif TABLES[name] then
    return "table"
  elseif WIPES[name] then
    return "wipe"
  elseif OWN[name] then
    return "own"
  end
  return "write"
end

local function gate(file)
  return devices.named(file.path) or file.dynamic and file.cmd and FORMATS:match(file.cmd.name or "")
end

local function written(kind)
  local surely = kind == "write"
  return function(file)
    if not file.cmd or kind_of(file.cmd.name) ~= kind or surely and file.access ~= "write" then
      return nil
    end
    return (surely and devices.disk or devices.any)(file.path) and file.path
  end
end

return { class = "disk", title = "Disks and devices", rules = {
  {
    id = "disk.device-write",
    severity = "critical",
    on = "file",
    about = "device",
    gate = gate,
    looks_at = "files that are written: a disk, a partition, memory",
    when = written("write"),
    reason = "{detail} is a device: what is written onto it replaces the file systems on it.",
    advice = "Write to an image file; a disk is for the user to write.",
    suggestion = "dd if=input.img of=output.img bs=4M",
    blocked = { "dd if=/dev/zero of=/dev/sda bs=1M", "cat image.iso > /dev/disk2", "echo x | sudo tee /dev/nvme0n1", "cp disk.img /dev/mapper/vg-data" },
    passes = { "dd if=/dev/zero of=disk.img bs=1M count=10", "ls > /dev/null", "dd if=/dev/sda of=backup.img", "echo x > /dev/tty" },
  },
  {
    id = "disk.format",
    severity = "critical",
    on = "file",
    about = "device",
    gate = gate,
    looks_at = "files that mkfs, mke2fs, newfs, mkswap and the like write",
    when = written("format"),
    reason = "This makes a new file system on {detail}, and all that is on it is lost.",
    advice = "Make it in an image file; a disk is for the user to format.",
    suggestion = "mkfs.ext4 ./loop.img",
    blocked = { "mkfs.ext4 /dev/sda1", "sudo mkfs -t xfs /dev/nvme0n1p2", "mkswap /dev/sdb2" },
    passes = { "mkfs.ext4 disk.img", "mkfs.ext4 -n /dev/sda1", "mkfs.xfs --help" },
  },
  {
    id = "disk.format-unknown",
    severity = "medium",
    on = "file",
    about = "device",
    gate = gate,
    looks_at = "files that mkfs and the like write, where they can't be known",
    when = function(file)
      return file.dynamic and not file.redirected and file.access ~= "read" and file.cmd and kind_of(file.cmd.name) == "format"
    end,
    reason = "This formats a disk that can't be known before it runs.",
    advice = "Write the path out.",
    suggestion = "mkfs.ext4 ./loop.img",
    blocked = { 'mkfs.ext4 "$(cat device)"' },
    passes = { 'D=./loop.img; mkfs.ext4 "$D"' },
  },
  {
    id = "disk.write-unknown",
    severity = "medium",
    level = "strict",
    on = "file",
    about = "device",
    looks_at = "files that dd and the like write, where they can't be known",
    when = function(file)
      return file.dynamic and not file.redirected and file.access ~= "read" and file.cmd and (file.cmd.name == "dd" or file.cmd.name == "dcfldd" or file.cmd.name == "ddrescue")
    end,
    reason = "This writes to a file or disk that can't be known before it runs.",
    advice = "Write the path out.",
    suggestion = "dd if=input.img of=output.img",
    blocked = { 'dd if=image of="$TARGET"' },
    passes = { "dd if=image of=copy", 'dd if="$SOURCE" of=copy' },
  },
  {
    id = "disk.partition",
    severity = "critical",
    on = "file",
    about = "device",
    gate = gate,
    looks_at = "disks that fdisk, sfdisk, gdisk and the like change",
    when = written("table"),
    reason = "This changes the partitions of {detail}.",
    advice = "Only list them; changing them is for the user.",
    suggestion = "fdisk -l /dev/sda",
    blocked = { "fdisk /dev/sda", "sfdisk --delete /dev/sda", "sgdisk -Z /dev/sdb" },
    passes = { "fdisk -l /dev/sda", "sfdisk -d /dev/sda", "sgdisk -p /dev/sda" },
  },
  {
    id = "disk.parted",
    severity = "critical",
    programs = { "parted" },
    looks_at = "disks that parted changes",
    when = function(cmd)
      for _, disk in ipairs(cmd:paths("write")) do
        if devices.any(disk) then
          return disk
        end
      end
    end,
    reason = "This changes the partitions of {detail}.",
    advice = "Only list them; changing them is for the user.",
    suggestion = "parted -l",
    blocked = { "parted /dev/sda mklabel gpt", "sudo parted -s /dev/sdb rm 1" },
    passes = { "parted -s /dev/sda print", "parted -l", "parted -s disk.img mklabel gpt" },
  },
  {
    id = "disk.parted-asks",
    severity = "medium",
    programs = { "parted" },
    looks_at = "cmd: parted on a disk without --script",
    when = function(cmd)
      local disk = cmd:operands()[1]
      return disk and devices.any(disk) and not cmd:flag("-s", "--script", "-l", "--list", "-h", "--help", "-v", "--version") and disk
    end,
    reason = "parted without --script offers to repair what it finds on {detail}, and one answer changes the disk.",
    advice = "Add --script, so that it changes nothing while it prints.",
    suggestion = "parted --script /dev/sda print",
    blocked = { "parted /dev/sda print", "parted /dev/sda unit s print free" },
    passes = { "parted -s /dev/sda print", "parted disk.img print" },
  },
  {
    id = "disk.wipe",
    severity = "critical",
    on = "file",
    about = "device",
    gate = gate,
    looks_at = "devices that wipefs, blkdiscard and badblocks write",
    when = written("wipe"),
    reason = "This wipes {detail}.",
    advice = "Look at what is there; wiping a disk is for the user.",
    suggestion = "wipefs /dev/sda",
    blocked = { "wipefs -a /dev/sda", "blkdiscard /dev/nvme0n1", "badblocks -w /dev/sdb" },
    passes = { "wipefs /dev/sda", "wipefs -a -n /dev/sda", "badblocks /dev/sdb", "wipefs -a disk.img" },
  },
  {
    id = "disk.shred-device",
    severity = "critical",
    programs = { "shred", "scrub", "wipe", "nwipe", "srm" },
    looks_at = "operands of shred and the like",
    when = function(cmd)
      for _, operand in ipairs(cmd:operands()) do
        if devices.disk(operand) then
          return operand
        end
      end
    end,
    reason = "This overwrites all of {detail}.",
    advice = "A disk is for the user to wipe.",
    suggestion = "lsblk",
    blocked = { "shred /dev/sda", "sudo shred -vfz -n 3 /dev/nvme0n1", "nwipe --autonuke /dev/sdb" },
    passes = { "shred --help", "lsblk /dev/sda" },
  },
} }
