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

-- The folder of the machine that a part of an option is, as far as it's known.
local function folder(here, scene)
  if here == "." or here:sub(1, 2) == "./" or here:sub(1, 3) == "../" then
    here = path.join(scene.cwd or "/", here)
  else
    here = here:gsub("^~", scene.home or "~"):gsub("^%$HOME", scene.home or "~"):gsub("^%${HOME}", scene.home or "~")
    here = here:gsub("^%$PWD", scene.cwd or "."):gsub("^%${PWD}", scene.cwd or "."):gsub("^%$%(pwd%)", scene.cwd or "."):gsub("^`pwd`", scene.cwd or ".")
  end
  return path.clean(here)
end

local MATTERS = { root = true, home = true, system = true, mount = true, here = true, git = true, outside = true }

-- socket returns the socket of a container engine that a container gets.
function given.socket(cmd)
  for _, file in ipairs(cmd:files()) do
    if not file.redirected and SOCKETS:match(file.path) then
      return file.path
    end
  end
end

-- deletes returns the folder of the machine that a command in a container deletes with everything in it, because
-- the container has it at that place: all that is mounted, or a part that isn't the project's.
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
    if there and not value:match(":ro$") then
      for _, file in ipairs(files) do
        local target = file.glob and path.base(file.path) == "*" and path.dir(file.path) or file.path
        there = path.clean(there)
        if file.dynamic then
          -- it may be any other place in the container
        elseif not here:find("[/.~$`]") then -- a volume, by its name
          if path.inside(target, there) and not stage.is_test(here) and not here:find("cache", 1, true) then
            return "the volume " .. here
          end
        elseif path.inside(target, there) then
          if scene:where({ path = folder(here, scene), dynamic = false, glob = false }) ~= "temp" then
            return here
          end
        elseif path.inside(there, target) then
          local place = scene:where({ path = path.join(folder(here, scene), path.rel(there, target)), dynamic = false, glob = false })
          if MATTERS[place] then
            return path.join(here, path.rel(there, target))
          end
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
