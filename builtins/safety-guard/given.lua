-- The parts of its machine that a container gets.

local stage = require("stage")

local given = {}

-- Folders of the machine that a container must not get: these, and those in the others.
local WHOLE = { "/", "/usr", "/bin", "/sbin", "/lib", "/lib64", "/dev", "/var", "/var/lib", "/home", "/Users", "/opt", "/run", "/var/run" }
local INSIDE = { "/etc", "/boot", "/proc", "/sys", "/root", "/var/lib/docker", "/var/lib/kubelet" }
local SOCKETS = patterns.later([[/(?:docker|containerd|crio|podman|docker-cli)\.sock$]])

-- Files of the machine that containers usually get.
local EVERYDAY = patterns.later([[^/etc/(?:localtime|timezone|hosts|hostname|resolv\.conf|machine-id|os-release|ssl|pki|ca-certificates)(?:/|$)]])

local is_whole = {}
for _, folder in ipairs(WHOLE) do
  is_whole[folder] = true
end

-- mounts returns a folder of the machine that a container gets but must not.
function given.mounts(cmd, scene)
  local files = cmd:files()
  for _, file in ipairs(files) do
    local target = file.path
    if file.redirected or file.dynamic or not path.is_abs(target) then
      -- a volume's name, or not known
    elseif target == "/" then
      return target
    elseif file.access == "write" and not EVERYDAY:match(target) then
      if is_whole[target] or target == scene.home then
        return target
      end
      for _, folder in ipairs(INSIDE) do
        if path.inside(folder, target) then
          return target
        end
      end
    end
  end
end

-- root reports whether a container gets all of the machine to write to.
function given.root(cmd)
  for _, file in ipairs(cmd:files("write")) do
    if file.path == "/" then
      return true
    end
  end
  return false
end

-- socket returns the socket of a container engine that a container gets.
function given.socket(cmd)
  for _, file in ipairs(cmd:files()) do
    if not file.redirected and SOCKETS:match(file.path) then
      return file.path
    end
  end
end

-- Whether a command deletes only what lies among temporary files of this machine.
local function only_temporary(cmd, scene)
  for _, file in ipairs(cmd:files("delete")) do
    if scene:place(file) ~= "temp" then
      return false
    end
  end
  return true
end

-- deletes returns the volume, or the folder of the machine, that a command in a container deletes with everything in it.
-- Parts of such a folder are files as others are.
function given.deletes(cmd, scene)
  local files = cmd:remote_files("delete")
  local outer = cmd.parent
  while outer and outer.remote do
    outer = outer.parent
  end
  if #files == 0 or not outer or cmd.name == "rm" and not cmd:flag("-r", "-R", "--recursive") then
    return nil
  end
  for i, arg in ipairs(outer.args) do
    local value = arg:match("^%-%-volume=(.*)$") or (arg == "--volume" or arg:match("^%-%a*v$")) and outer.args[i + 1]
    local here, there = (value or ""):match("^([^:]+):(/[^:]*)")
    local volume = there and not here:find("[/.~$`]")
    if there and not value:match(":ro$") and not (volume and (stage.is_test(here) or here:find("cache", 1, true))) then
      for _, file in ipairs(files) do
        local target = file.glob and path.base(file.path) == "*" and path.dir(file.path) or file.path
        if not file.dynamic and path.inside(target, path.clean(there)) and (volume or not only_temporary(cmd, scene)) then
          return volume and "the volume " .. here or here
        end
      end
    end
  end
end

local POWERS = patterns.later([[(?i)^(?:cap_)?(?:all|sys_admin|sys_module|sys_ptrace|sys_rawio|sys_boot|dac_override|dac_read_search|bpf|net_admin|mac_admin|mac_override)$]])
local UNCONFINED = patterns.later([[[=:]unconfined$|^label[=:]disable]])
local DISKS = patterns.later([[^/dev/(?:[shv]d[a-z]|xvd|nvme|mmcblk|disk|dm-|mapper/|mem|kmem|port)]])

-- The options that can give a container additional rights, and the values that do.
local OPENING = { ["--cap-add"] = POWERS, ["--security-opt"] = UNCONFINED, ["--device"] = DISKS,
  ["--pid"] = patterns.later("^host$"), ["--userns"] = patterns.later("^host$") }

-- opened returns the first of these options. Each may be given more than once, before the image.
function given.opened(cmd)
  if cmd:flag("--privileged") then
    return "--privileged"
  end
  local found
  for option in pairs(OPENING) do
    found = found or cmd:flag(option) ~= false
  end
  local args, o = cmd.args, cmd:operands()
  local image = o[(o[1] == "container" or o[1] == "compose" or o[1] == "service") and 3 or 2]
  for i = 1, found and #args or 0 do
    local name, value = args[i]:match("^(%-%-[%w-]+)=(.*)$")
    if not name then
      name, value = args[i], args[i + 1]
    end
    if args[i] == image then
      return nil
    elseif OPENING[name] and value and OPENING[name]:match(value) then
      return name .. " " .. value
    end
  end
end

return given
