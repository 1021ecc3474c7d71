-- The scene of a call: its folders, and what kind of place a path is.

local rebuilt -- loaded when it is needed

local scene = {}
scene.__index = scene

-- new returns the scene of an event:
--   cwd       the agent's working folder, nil if it isn't known
--   start     the folder that the call starts in, absolute, or nil
--   lost      it isn't known where the call starts
--   home      the user's home folder, or false
--   settings  the guard's options
--   commands  those of the line, if the call is a shell's
function scene.new(settings, cwd, start, lost)
  return setmetatable({ cwd = cwd or start, start = start, lost = lost, home = host.home, settings = settings }, scene)
end

-- once returns what a function makes of the commands of the line. It is called once for them.
function scene:once(what, make)
  local made = self.made
  if not made or made.of ~= self.commands then
    made = { of = self.commands }
    self.made = made
  end
  local it = made[what]
  if it == nil then
    it = make(self.commands or {})
    made[what] = it
  end
  return it
end

local function by_pipe(commands)
  local pipes = {}
  for _, cmd in ipairs(commands) do
    local pipe = cmd.pipe
    if pipe then
      pipes[pipe] = pipes[pipe] or {}
      table.insert(pipes[pipe], cmd)
    end
  end
  return pipes
end

-- pipeline lists the stages of the pipe that a command of the line is in; it alone if it is in none.
function scene:pipeline(cmd)
  return cmd.pipe and self:once("pipes", by_pipe)[cmd.pipe] or { cmd }
end

local function any_push(commands)
  for _, cmd in ipairs(commands) do
    if cmd.name == "git" and cmd:subcommand() == "push" then
      return true
    end
  end
  return false
end

-- pushes reports whether a git of the line pushes.
function scene:pushes()
  return self:once("pushes", any_push)
end

local function inside_any(folders, target)
  for _, folder in ipairs(folders) do
    if path.inside(folder, target) then
      return folder
    end
  end
end

-- Folders of the machine that no project lives in: everything below them is the machine's.
local SYSTEM = { "/etc", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/boot", "/dev", "/proc", "/sys", "/run", "/var", "/opt", "/root", "/snap",
  "/System", "/Library", "/Applications", "/private/etc", "/private/var", "/nix", "/cores" }

-- A folder for temporary files, in addition to those of host.temp.
local MEMORY = { "/dev/shm" }

-- Folders that hold other people's or other disks' files: only the folders themselves, not what is below them.
local MOUNTS = { ["/home"] = true, ["/Users"] = true, ["/mnt"] = true, ["/media"] = true, ["/srv"] = true, ["/Volumes"] = true, ["/data"] = true }

-- leads_out reports whether a path is outside a working folder that is itself among temporary files.
function scene:leads_out(target)
  return self.cwd and inside_any(host.temp, self.cwd) and not path.inside(self.cwd, target) or false
end

-- root returns the folder that relative paths of the options start at.
function scene:root()
  return host.base or self.cwd or "/"
end

-- relative returns a path as it is seen from the working folder, if it lies there.
function scene:relative(target)
  return self.cwd and path.is_abs(target) and path.inside(self.cwd, target) and path.rel(self.cwd, target) or target
end

-- is_allowed reports whether a path, absolute, is covered by allow_paths.
function scene:is_allowed(target)
  for _, folder in ipairs(self.settings.allow_paths) do
    folder = path.is_abs(folder) and folder or path.join(self:root(), folder)
    if path.inside(folder, target) or path.inside(folder, host.real(target)) then
      return true
    end
  end
  return false
end

-- The user's own files if the home folder is the working folder.
local OWN_FOLDERS = patterns.later([[^(\.\w|(Desktop|Documents|Downloads|Library|Movies|Music|Pictures|Public|Videos)(/|$))]])

-- Patterns that match everything in a folder.
local WILD = patterns.later([=[^([*?.]|\[(\[:\w+:\]|[^\]])*\]|!\([^)]*\)|[?*+@]\([*?.|]*\))+$]=])
local GIT = patterns.later([[(?i)(^|/)\.git(/|$)]])

-- Folders of Windows that belong to the machine, and below a user's folder those of temporary files and caches; all in
-- small letters.
local WINDOWS_SYSTEM = patterns.later([[^\w:/(windows|program files( \(x86\))?|programdata|recovery|boot|efi|system volume information|\$recycle\.bin|perflogs|inetpub|msocache|documents and settings)(/|$)]])
local WINDOWS_HOME = patterns.later([[^\w:/users/[^/]+$]])
local WINDOWS_TEMP = patterns.later([[^(\w:/users/[^/]+/appdata/local/temp|\w:/windows/temp|\w:/te?mp)(/|$)]])
local WINDOWS_CACHES = patterns.later([[^\w:/users/[^/]+/(\.nuget/packages|\.gradle/caches|\.m2/repository|\.cargo/registry|go/pkg/mod|appdata/local/(npm-cache|pip/cache|yarn/cache|pnpm|nuget/[\w-]*cache|go-build|pypoetry/cache|uv/cache)|]] ..
  [[appdata/roaming/npm-cache|\.cache/[^/]+|\.bun/install/cache|\.npm/_cacache)(/|$)]])
local DRIVE = patterns.later([[^[A-Za-z]:(/|$)]])

local function same_or_inside(folder, target)
  return target == folder or folder ~= "" and target:sub(1, #folder + 1) == folder:gsub("/$", "") .. "/"
end

-- where_on_windows is where for a path with a drive. Names there are the same in any case.
function scene:where_on_windows(target)
  local cwd = self.cwd and self.cwd:lower() or ""
  target = target:lower()
  if #target > 3 then
    target = target:gsub("/$", "")
  end
  if target:find("^%w:/?$") then
    return cwd ~= "" and cwd:sub(1, 2) == target:sub(1, 2) and (cwd == target or target:sub(1, 1) ~= "c") and "here" or target:sub(1, 1) == "c" and "root" or "mount"
  elseif target:find("^%w:/users$") then
    return "mount"
  elseif self:is_allowed(target) then
    return "allowed"
  elseif WINDOWS_HOME:match(target) and target ~= "c:/users/public" or self.home and target == self.home:lower() then
    return "home"
  elseif cwd ~= "" and same_or_inside(target, cwd) then
    return "here"
  elseif cwd ~= "" and same_or_inside(cwd, target) then
    return "inside"
  elseif WINDOWS_TEMP:match(target) then
    return re.match(target, "/te?mp$") and "tempdir" or "temp"
  elseif WINDOWS_CACHES:match(target) then
    return "temp"
  elseif WINDOWS_SYSTEM:match(target) then
    return "system"
  end
  return "outside"
end

-- leads_to returns where a path below the working folder lies once links are followed, nil where that is the same. The file
-- itself is followed if it's read or written, and not if it's deleted.
function scene:leads_to(target, follows)
  local cwd = self.cwd
  if not cwd or not path.is_abs(target) or target == cwd or not path.inside(cwd, target) then
    return nil
  end
  local folder = follows and target or path.dir(target)
  if folder == cwd then
    return nil
  end
  local known = self.links or {}
  self.links = known
  if known[folder] == nil then
    local real = host.linked(cwd, folder) and host.real(folder)
    local here = real and host.real(cwd)
    if here and path.inside(here, real) then -- the working folder may be a link
      real = path.clean(path.join(cwd, path.rel(here, real)))
    end
    known[folder] = real or false
  end
  local real = known[folder]
  return real and (follows and real or path.join(real, path.base(target))) or nil
end

-- where returns the kind of place of a command's file:
--   "root"      / or everything in it
--   "home"      the home folder, or one above it
--   "system"    a folder of the machine, or in one
--   "mount"     /home, /mnt and the like, or a disk in them
--   "here"      the working folder itself or one above it
--   "git"       a repository's .git, or in it, except one among temporary files
--   "temp"      in a folder for temporary files, or of what is fetched or made again, see rebuilt.lua
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
    elseif self.lost then
      return "unknown"
    elseif not self.cwd then
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
  local all = false
  while file.glob and WILD:match(path.base(target)) do
    target, all = path.dir(target), true -- everything in a folder counts as the folder
  end
  if GIT:match(target) then
    local elsewhere = not (self.cwd and path.inside(self.cwd, target))
    return elsewhere and inside_any(host.temp, target) and "temp" or "git"
  elseif target:sub(2, 2) == ":" and DRIVE:match(target) then
    return self:where_on_windows(target)
  elseif target == "/" then
    return "root"
  elseif MOUNTS[target] then
    return "mount"
  elseif self.home and path.inside(target, self.home) then
    return "home"
  elseif self:is_allowed(target) then
    return "allowed"
  elseif self.cwd and path.inside(target, self.cwd) then
    return "here"
  end
  local temp = inside_any(host.temp, target) or inside_any(MEMORY, target)
  if self.cwd and self.cwd ~= "/" and path.inside(self.cwd, target) then
    local real = self:leads_to(target, all)
    if real then
      return self:where({ path = real, dynamic = false, glob = false })
    end
    return self.cwd == self.home and OWN_FOLDERS:match(path.rel(self.home, target)) and "outside" or "inside"
  elseif temp then
    return temp == target and "tempdir" or "temp"
  end
  rebuilt = rebuilt or require("rebuilt")
  if rebuilt.cached(target, self.home) then
    return "temp"
  elseif MOUNTS[path.dir(target)] and re.match(target, "^/(mnt|media|Volumes)/") then
    return "mount"
  elseif inside_any(SYSTEM, target) and not (self.home and path.inside(self.home, target)) then
    return "system"
  elseif host.root and host.root ~= self.home and host.root ~= "/" and self.cwd and path.inside(host.root, self.cwd) and path.inside(host.root, target) and target ~= host.root then
    return "inside" -- elsewhere in the project
  end
  local folder = path.dir(target)
  return folder ~= self.home and folder ~= "/" and rebuilt.surely_below(target) and "temp" or "outside"
end

-- A known beginning of a name before the unknown part, as in build-$VERSION.
local BEGUN = patterns.later([[(^|/)[\w.@+-]*[\w@+-][$`{*?\[][^/]*$|(^|/)[\w.@+-]*[\w@+-][$`{*?\[][^/]*/]])
local DEFAULT = patterns.later([=[^(?:\./)?\$\{[A-Za-z_]\w*:?[-=][^$`{}]+\}]=])
local MADE_NOW = patterns.later([[^(\$\(mktemp( [^()$`]*)?\)|`mktemp( [^`$]*)?`)(/|$)]])
local ITS_CACHE = patterns.later([[^["']?(\$\(|`)(go env (GOMODCACHE|GOCACHE)|npm config get cache|yarn cache dir|yarn config get cacheFolder|pip3? cache dir|pnpm store path|brew --cache|]] ..
  [[composer config (-g )?cache-dir|poetry config cache-dir|uv cache dir|bun pm cache|ccache -k cache_dir)(\)|`)(/|$)]])
local TOP = patterns.later([[^(?:\$\(git rev-parse --show-toplevel\)|`git rev-parse --show-toplevel`)(?:/+|$)]])
-- A pattern, and nothing else that isn't known: of a loop over the files that it stands for.
local IN_LOOP = patterns.later([=[^[^$`{}()*?\[]*[*?\[][^$`{}()]*$]=])
local CLIMBS = patterns.later([[(^|/)\.\.(/|$)]])

-- is_pattern reports whether a partly unknown file is one of those that a pattern outside of the working folder stands for,
-- as in a loop over them.
function scene:is_pattern(file)
  return file.dynamic and (path.is_abs(file.path) or file.path:sub(1, 1) == "~") and IN_LOOP:match(file.path)
end

-- place is like where, but for a partly unknown file it returns the kind of place that is certain, or "unknown"
-- if even that isn't.
function scene:place(file)
  if not file.dynamic then
    return self:where(file)
  elseif file.temporary then
    return "temp"
  elseif CLIMBS:match(file.path) then
    return "unknown"
  elseif DEFAULT:match(file.path) then
    return "inside" -- anything else that it stands for is a command of its own
  elseif MADE_NOW:match(file.path) or ITS_CACHE:match(file.path) then
    return "temp"
  elseif TOP:match(file.path) then
    -- The top of the repository counts as the working folder.
    return self:where({ path = path.clean("./" .. TOP:replace(file.path, "./")), dynamic = false, glob = file.glob })
  elseif self:is_pattern(file) then
    return self:where({ path = file.path, dynamic = false, glob = true })
  elseif file.under == "" then
    local first = file.path:sub(1, 1)
    if (first == "*" or first == "?" or first == "[" or IN_LOOP:match(file.path)) and self.cwd and not self.lost then
      return (file.path == "*" or file.path == "*/") and "here" or "inside" -- of a loop over the files that exist
    end
    return "unknown"
  end
  local place = self:where({ path = file.under, dynamic = false, glob = false })
  if place == "here" and self.cwd and file.under == self.cwd then
    return BEGUN:match(file.path) and "inside" or "unknown"
  elseif place == "tempdir" then
    return "temp"
  elseif place == "inside" or place == "temp" or place == "allowed" then
    return place
  end
  return "unknown"
end

-- followed is place for a folder that a program goes into: that of where it leads, if it's a link.
function scene:followed(file)
  local place = self:place(file)
  local real = place == "inside" and not file.dynamic and self:leads_to(file.path, true)
  return real and self:where({ path = real, dynamic = false, glob = false }) or place
end

return scene
