-- Programs that write images onto disks, past what is known of the files that they write.

local devices = require("devices")

-- last returns the last operand, behind a number of others.
local function last(least)
  return function(_, o)
    return #o > least and { o[#o] } or {}
  end
end

local function all(_, o)
  return o
end

-- value returns what stands behind one of these options or keys.
local function value(...)
  local names = { ... }
  return function(cmd)
    local list = {}
    for _, name in ipairs(names) do
      for i, word in ipairs(cmd.args) do
        if word == name then
          list[#list + 1] = cmd.args[i + 1]
        elseif text.starts_with(word, name) and (name:sub(-1) == "=" or name:sub(2, 2) ~= "-") then
          list[#list + 1] = word:sub(#name + 1)
        elseif text.starts_with(word, name .. "=") then
          list[#list + 1] = word:sub(#name + 2)
        end
      end
    end
    return list
  end
end

-- only returns what another function does where the first operand is one of these words.
local function only(words, find)
  return function(cmd, o)
    return (" " .. words .. " "):find(" " .. (o[1] or "") .. " ", 1, true) and find(cmd, o) or {}
  end
end

-- with returns what another function does where one of these options is given.
local function with(options, find)
  return function(cmd, o)
    return cmd:flag(unpack(options)) and find(cmd, o) or {}
  end
end

-- By program: the words that name what it writes.
local WRITES = {
  pv = value("-o", "--output"),
  ["qemu-img"] = function(cmd, o)
    local verb = o[1]
    if verb == "create" or verb == "resize" or verb == "commit" then
      return o
    end
    return verb == "convert" and last(2)(cmd, o) or verb == "dd" and value("of=")(cmd, o) or {}
  end,
  bmaptool = only("copy", last(2)),
  dc3dd = value("wipe=", "hwipe=", "of=", "hof=", "ofs="),
  bcachefs = only("format", all),
  balena = value("--drive", "-d"),
  usbimager = last(1),
  ["rpi-imager"] = last(1),
  fsarchiver = only("restfs", function(cmd)
    local list = {}
    for _, word in ipairs(cmd.args) do
      list[#list + 1] = word:match("dest=([^,]+)")
    end
    return list
  end),
  ["partclone.restore"] = value("-o", "-O", "--output", "--overwrite"),
  ["partclone.dd"] = value("-o", "-O", "--output", "--overwrite"),
  ntfsclone = value("-O", "--overwrite"),
  ["xfs_copy"] = last(1),
  sg_dd = value("of="),
  ["virt-resize"] = last(1),
  e2image = with({ "-r", "-I", "-Q", "-a" }, last(1)),
  zerofree = all,
  ["make-bcache"] = all,
  integritysetup = only("format", all),
  veritysetup = only("format", last(2)),
  ventoy = with({ "-i", "-I" }, all),
  ["Ventoy2Disk.sh"] = with({ "-i", "-I" }, all),
  syslinux = with({ "-i", "--install" }, all),
  socat = function(_, o)
    local list = {}
    for _, word in ipairs(o) do
      list[#list + 1] = word:match("^[A-Za-z]+:([^,]+)")
    end
    return list
  end,
}
local names = {}
for name in pairs(WRITES) do
  names[#names + 1] = name
end
for _, kind in ipairs({ "ext2", "ext3", "ext4", "btrfs", "xfs", "ntfs", "fat", "fat32", "vfat", "f2fs", "exfat" }) do
  local name = "partclone." .. kind
  names[#names + 1], WRITES[name] = name, with({ "-r", "--restore", "-b", "--dev-to-dev" }, value("-o", "-O", "--output", "--overwrite"))
end
table.sort(names)

return { class = "disk", title = "Disks and devices", rules = {
  {
    id = "disk.image",
    severity = "critical",
    programs = names,
    looks_at = "cmd: the words that say where an image is written",
    when = function(cmd)
      if cmd:flag("--help", "--version") then
        return nil
      end
      for _, word in ipairs(WRITES[cmd.name](cmd, cmd:operands())) do
        if devices.disk(word) and word ~= "/dev/port" then
          return word
        end
      end
    end,
    reason = "{detail} is a device: what is written onto it replaces the file systems on it.",
    advice = "Write to an image file; a disk is for the user to write.",
    suggestion = "qemu-img convert -O raw shop.qcow2 shop.img",
    blocked = { "pv -o /dev/sdb shop.img", "qemu-img convert shop.qcow2 -O raw /dev/sda", "bmaptool copy shop.img /dev/sda", "dc3dd wipe=/dev/sda", "bcachefs format /dev/sda" },
    passes = { "qemu-img convert -O qcow2 /dev/sda shop.qcow2", "qemu-img info shop.img", "pv shop.img", "bmaptool create shop.img", "bcachefs show-super /dev/sda" },
  },
} }
