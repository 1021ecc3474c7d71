-- Where a call happens: its folders, and what kind of place a path is.

local scene = {}
scene.__index = scene

-- The folder that a command starts in: the call may name its own. The second value
-- is true where nobody knows which one counts.
local FOLDER_KEYS = { "workdir", "cwd", "working_directory", "working_dir", "dir" }

local function starting_folder(input, cwd)
  local named
  for _, key in ipairs(FOLDER_KEYS) do
    local folder = input[key]
    if type(folder) == "string" and folder ~= "" then
      if named and named ~= folder then
        return nil, true
      end
      named = folder
    end
  end
  if not named or path.is_abs(named) then
    return named or cwd
  elseif named:sub(1, 1) == "~" or path.clean(named):sub(1, 2) == ".." and not cwd then
    return nil, true
  end
  return cwd and path.join(cwd, named)
end

-- of makes the scene of an event:
--   cwd       the agent's working folder, nil where it isn't known
--   start     the folder that the call starts in, absolute, or nil
--   lost      nobody knows where the call starts
--   home      the user's home folder, or false
--   settings  the guard's options
function scene.of(ev, settings)
  local cwd = ev.cwd and ev.cwd ~= "" and path.is_abs(ev.cwd) and path.clean(ev.cwd) or nil
  local start, lost = starting_folder(ev.tool_call.input, cwd)
  if start and not path.is_abs(start) then
    start = nil
  end
  return setmetatable({ cwd = cwd or start, start = start, lost = lost or false, home = host.home, settings = settings }, scene)
end

local function inside_any(folders, target)
  for _, folder in ipairs(folders) do
    if path.inside(folder, target) then
      return folder
    end
  end
end

-- Folders of the machine that no project lives in: all that is below them is its.
local SYSTEM = { "/etc", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/boot", "/dev", "/proc", "/sys", "/run", "/var", "/opt", "/root", "/snap",
  "/System", "/Library", "/Applications", "/private/etc", "/private/var", "/nix", "/cores" }

-- Folders that hold other people's or other disks' files: they themselves, not what is
-- below them.
local MOUNTS = { ["/home"] = true, ["/Users"] = true, ["/mnt"] = true, ["/media"] = true, ["/srv"] = true, ["/Volumes"] = true, ["/data"] = true }

-- where tells what kind of place a file of a command is:
--   "root"      / or everything in it
--   "home"      the home folder, or one above it
--   "system"    a folder of the machine, or in one
--   "mount"     /home, /mnt and the like, or a disk in them
--   "here"      the working folder itself or one above it
--   "git"       a repository's .git, or in it
--   "temp"      in a folder for temporary files
--   "tempdir"   such a folder itself
--   "allowed"   in one of allow_paths
--   "inside"    in the working folder
--   "outside"   anywhere else
--   "unknown"   it can't be known
function scene:where(file)
  local target = file.path
  if file.dynamic then
    return "unknown"
  elseif not path.is_abs(target) then
    if target:sub(1, 1) == "~" then
      return target == "~" and "home" or "outside"
    elseif self.lost or not self.cwd then
      local first = path.clean(target)
      if first == "." then
        return "here"
      elseif first:sub(1, 2) == ".." then
        return "outside"
      end
      return "inside"
    end
    target = path.join(self.cwd, target)
  end
  target = path.clean(target)
  local base = file.glob and path.base(target)
  if base and (base == "*" or base == ".*" or base == "?*") then
    target = path.dir(target) -- everything in a folder is the folder
  end
  if re.match(target, [[(^|/)\.git(/|$)]]) then
    return "git"
  elseif target == "/" then
    return "root"
  elseif self.home and path.inside(target, self.home) then
    return "home"
  elseif inside_any(self.settings.allow_paths, target) then
    return "allowed"
  elseif self.cwd and path.inside(target, self.cwd) then
    return "here"
  end
  local temp = inside_any(host.temp, target)
  if self.cwd and self.cwd ~= "/" and path.inside(self.cwd, target) then
    return "inside"
  elseif temp then
    return temp == target and "tempdir" or "temp"
  elseif MOUNTS[target] or MOUNTS[path.dir(target)] and re.match(target, "^/(mnt|media|Volumes)/") then
    return "mount"
  elseif inside_any(SYSTEM, target) then
    return "system"
  elseif host.root and host.root ~= self.home and host.root ~= "/" and self.cwd and path.inside(host.root, self.cwd) and path.inside(host.root, target) and target ~= host.root then
    return "inside" -- elsewhere in the project
  end
  return "outside"
end

return scene
