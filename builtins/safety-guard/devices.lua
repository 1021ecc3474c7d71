-- Which files of /dev are disks.

local devices = {}

-- Devices that may be written: they keep nothing, or are a terminal, a sound card, a serial line.
local HARMLESS = patterns.later([[^/dev/(null|zero|full|random|urandom|std(in|out|err)|tty[^/]*|fd(/.*)?|shm(/.*)?|pts(/.*)?|ptmx|console|kmsg|log|]] ..
  [[tcp/.*|udp/.*|snd/.*|dsp\d*|audio|input/.*|usb/.*|lp\d+|rfcomm\d+|cu\..*|mqueue(/.*)?|hugepages(/.*)?|video\d+|fuse|net/tun|kvm|dri/.*|watchdog\d*|char/.*)$]])

local DISKS = patterns.later([[^/dev/(r?(disk|sd|hd|vd|xvd|ad|ada|da|nda|nvd|wd|cciss/)[a-z0-9*?]*|nvme\w*|mmcblk\w+|loop\d*|md\w*|dm-\d+|mapper/.+|disk/.+|block/.+|]] ..
  [[nbd\w*|zd\d+|zvol/.+|rbd.*|ram\d+|zram\d+|sr\d+|cdrom|dvd|st\d+|sg\d+|mtd\w*|ubi\w*|pmem\w*|bcache\d*|drbd\w*|root|gpt.*|ufs/.+|label/.+|]] ..
  [[mem|kmem|port|nvram|hpet|cpu/.+|vg[^/]*/.+|[^/]*vg/.+|[^/]*-vg/.+)$]])

local WINDOWS = patterns.later([[(?i)^[\\/]{1,2}[.?][\\/](physicaldrive\d+|[a-z]:)$]])

-- named reports whether a path may be a device at all.
function devices.named(name)
  return name:find("/dev/", 1, true) == 1 or name:find("PhysicalDrive", 1, true) ~= nil
end

-- disk reports whether a path is certainly a disk, a part of one, or memory.
function devices.disk(name)
  if name:sub(1, 5) == "/dev/" then
    return (DISKS:match(name) or name:find("[*?%[(]") ~= nil) and not HARMLESS:match(name)
  end
  return WINDOWS:match(name)
end

-- any reports whether a path is a device that isn't certainly harmless.
function devices.any(name)
  if name:sub(1, 5) == "/dev/" then
    return not HARMLESS:match(name)
  end
  return devices.disk(name)
end

return devices
