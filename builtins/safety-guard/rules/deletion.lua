-- Deletions that can't be undone: of everything outside the working folder and the folders for temporary files,
-- and of the working folder itself.

local later = require("later")
local earlier, keyfiles, rebuilt = later("earlier"), later("keyfiles"), later("rebuilt")
local victims = require("victims")

local DELETERS = victims.programs

-- Files that a stopped program leaves behind, in .git too.
local LEFT_BEHIND = patterns.later([[(\.(lock|pid|sock)|/\.git/(MERGE_MSG|SQUASH_MSG|COMMIT_EDITMSG|rebase-merge|rebase-apply|gc\.log|hooks/[^/]+\.sample))$]])

-- A rule's test: a whole folder in one of these kinds of places.
local function folder_in(...)
  local places = {}
  for _, place in ipairs({ ... }) do
    places[place] = true
  end
  local function fits(victim)
    local place = victim.place
    if not places[place] then
      return false
    elseif victim.found then
      return not victim.harmless and place ~= "here" and not (place == "tempdir" and victim.named)
    end
    return victim.recursive
  end
  return function(cmd, scene)
    return victims.first(cmd, scene, function(victim)
      return fits(victim) and not (victim.place == "outside" and cmd.context == "and" and not host.there(victim.path) and earlier.created(cmd, victim.path, scene))
    end)
  end
end

-- A program that was unpacked into a folder of the machine, and isn't a part of the system.
local INSTALLED = patterns.later([[^/(usr/local|opt)/[^/]+$]])
local PART = patterns.later([[^/usr/local/(bin|etc|games|include|lib|lib32|lib64|libexec|man|sbin|share|src|var|opt|Cellar|Homebrew)$]])

local function is_replaced(victim, cmd, scene)
  return INSTALLED:match(victim.path) and not PART:match(victim.path) and not victim.glob and earlier.replaced(cmd, victim.path, scene)
end

local in_system = folder_in("system")

-- A test about folders of the system that the line unpacks anew, or about the others.
local function system_folder(replaced)
  return function(cmd, scene)
    return in_system(cmd, scene) and victims.first(cmd, scene, function(victim)
      return victim.place == "system" and (victim.recursive or victim.found and not victim.harmless) and is_replaced(victim, cmd, scene) == replaced
    end)
  end
end

local SETTING = patterns.later([[^\.(\w)]])

local REPOSITORY = patterns.later([=[(?i)/?\.(git|g?i?t?[*?\[][^/]*)(/.*)?$]=])

-- Whether a path in .git belongs to a repository that the working folder isn't in, such as a clone inside it.
local function is_nested(target, scene)
  local repository = REPOSITORY:replace(target, "")
  return path.is_abs(repository) and scene.cwd and not path.inside(repository, scene.cwd) or false
end

local function git_folder(nested)
  return function(cmd, scene)
    return victims.first(cmd, scene, function(victim)
      local whole = victim.recursive and not LEFT_BEHIND:match(victim.path) or victim.found and not victim.harmless
      return victim.place == "git" and whole and is_nested(victim.path, scene) == nested
    end)
  end
end

-- Kinds of places where the path itself means a whole folder.
local WHOLE = { root = true, home = true, mount = true, here = true, tempdir = true }

-- A path below the home folder, relative to it.
local function in_home(target, home)
  if target:sub(1, 2) == "~/" then
    return target:sub(3)
  elseif home and path.is_abs(target) and path.inside(home, target) then
    return path.rel(home, target)
  end
end

-- Several files outside, or a hidden one of the home folder: settings and keys.
local function matters(victim, home)
  local name = in_home(victim.path, home)
  if name and rebuilt.cached_at_home(name) then
    return false
  end
  return victim.glob or name and SETTING:match(name)
end

-- Folders of keys, which no project should contain.
local KEYS = { [".ssh"] = true, [".aws"] = true, [".gnupg"] = true, [".kube"] = true }

local function single_file(cmd, scene)
  if cmd.name == "rmdir" or cmd:flag("-i", "-I", "--interactive") then
    return nil
  end
  return victims.first(cmd, scene, function(victim)
    if KEYS[path.base(victim.path)] and not victim.dynamic and victim.place == "inside" then
      return true
    elseif victim.recursive or victim.how or LEFT_BEHIND:match(victim.path) then
      return false
    end
    local place = victim.place
    return place == "system" or place == "root" or place == "home" or place == "mount"
      or place == "git"
      or place == "here" and victim.glob
      or place == "outside" and matters(victim, scene.home) and not (not victim.glob and earlier.touched(cmd, victim.path, scene) and not host.there(victim.path))
  end)
end

return { class = "deletion", title = "Deletion", rules = {
  {
    id = "deletion.root",
    severity = "critical",
    programs = DELETERS,
    looks_at = "cmd:files(\"delete\"): / or everything in it",
    when = folder_in("root"),
    reason = "This deletes {detail}: the whole machine.",
    advice = "Delete what you mean by its own name, inside of the working folder.",
    suggestion = "rm build/app.o build/main.o",
    blocked = { "rm -rf /", "rm -rf /*", "find / -delete" },
    passes = { "rm -rf ./build", "find / -name '*.conf'" },
  },
  {
    id = "deletion.home",
    severity = "critical",
    programs = DELETERS,
    looks_at = "cmd:files(\"delete\"): the home folder, or one above it",
    when = folder_in("home", "mount"),
    reason = "This deletes {detail}, with everything that people keep there.",
    advice = "Delete what you mean by its own name, inside of the working folder.",
    suggestion = "rm build/app.o build/main.o",
    blocked = { "rm -rf ~", "rm -rf ~/*", "rm -rf /home", "rm -rf /mnt/backup" },
    passes = { "ls ~", "rm -rf ./home" },
  },
  {
    id = "deletion.system",
    severity = "critical",
    programs = DELETERS,
    looks_at = "cmd:files(\"delete\"): a folder of the system",
    when = system_folder(false),
    reason = "This deletes {detail}, which belongs to the system.",
    advice = "Use the package manager, or have the user do it.",
    suggestion = "ls -la /etc",
    blocked = { "rm -rf /etc", "rm -r /usr/lib/x", "find /var/log -mtime +30 -delete" },
    passes = { "rm -rf ./etc", "find /var/log -mtime +30" },
  },
  {
    id = "deletion.installed",
    severity = "medium",
    programs = DELETERS,
    looks_at = "cmd:files(\"delete\"): a folder below /usr/local or /opt that a later command unpacks anew",
    when = system_folder(true),
    reason = "This deletes {detail}, and puts in its place what is in the archive.",
    advice = "Ask the user whether the program may be replaced.",
    suggestion = "ls -la /usr/local",
    blocked = { "rm -rf /usr/local/go && tar -C /usr/local -xzf go1.22.0.linux-amd64.tar.gz" },
    passes = { "tar -C /usr/local -xzf go1.22.0.linux-amd64.tar.gz" },
  },
  {
    id = "deletion.working-folder",
    severity = "high",
    programs = DELETERS,
    looks_at = "cmd:files(\"delete\"): the working folder, or one above it",
    when = folder_in("here"),
    reason = "This deletes {detail}: the working folder with everything in it, committed or not.",
    advice = "Delete what you mean by its own name.",
    suggestion = "rm build/app.o build/main.o",
    blocked = { "rm -rf .", "rm -rf ./*", "rm -rf *", "find . -delete" },
    passes = { "rm -rf ./build", "rm -rf *.egg-info", "rm -rf build/*" },
  },
  {
    id = "deletion.git-folder",
    severity = "high",
    programs = DELETERS,
    looks_at = "cmd:files(\"delete\"): .git, or a folder in it",
    when = git_folder(false),
    reason = "This deletes {detail}: history that may be nowhere else.",
    advice = "To undo work use git itself; a new clone can stand beside this one.",
    suggestion = "git status",
    blocked = { "rm -rf .git", "rm -rf .git/objects" },
    passes = { "rm -f .git/index.lock", "rm -rf .github/old" },
  },
  {
    id = "deletion.nested-git-folder",
    severity = "medium",
    programs = DELETERS,
    looks_at = "cmd:files(\"delete\"): .git of another repository than that of the working folder",
    when = git_folder(true),
    reason = "This deletes {detail}: the history of the repository there, which may be nowhere else.",
    advice = "Look at what it has first: git log and git status tell.",
    suggestion = "git -C vendor/lib status",
    blocked = { "rm -rf vendor/lib/.git", "rm -rf ../other/.git" },
    passes = { "rm -rf /tmp/clone/.git", "rm -rf vendor/lib/.github" },
  },
  {
    id = "deletion.outside",
    severity = "high",
    programs = DELETERS,
    looks_at = "cmd:files(\"delete\"): a folder outside of the working folder and of those for temporary files",
    when = folder_in("outside"),
    reason = "This deletes {detail}, which lies outside of the working folder.",
    advice = "Delete only what lies inside the working folder, by its name, or ask the user to do it.",
    suggestion = "rm build/app.o build/main.o",
    blocked = { "rm -rf ../other", "rm -rf ~/projects/old", "cd .. && rm -r lib" },
    passes = { "rm -rf lib/../build", "rm -rf /tmp/shop-test", "cd lib && rm -rf ../build", "mkdir ~/scratch && cd ~/scratch && make && rm -rf ~/scratch" },
  },
  {
    id = "deletion.temp-folder",
    severity = "medium",
    programs = DELETERS,
    looks_at = "cmd:files(\"delete\"): a folder for temporary files as a whole",
    when = folder_in("tempdir"),
    reason = "This deletes {detail} with what every other program keeps there.",
    advice = "Delete what you made in it, by its name.",
    suggestion = "rm /tmp/shop-test/notes.txt",
    blocked = { "rm -rf /tmp", "rm -rf /tmp/*" },
    passes = { "rm -rf /tmp/shop-test", "rm -rf /tmp/shop-*" },
  },
  {
    id = "deletion.file",
    severity = "medium",
    programs = DELETERS,
    looks_at = "cmd:files(\"delete\"): files of the system, of git or of the user's settings; all files of a folder",
    when = single_file,
    reason = "This deletes {detail}, which the project can't bring back.",
    advice = "Move it aside inside of the working folder, or have the user do it.",
    suggestion = "rm notes.txt",
    blocked = { "rm ~/.netrc", "rm -f /etc/nginx/nginx.conf", "rm -f *", "rm -rf .ssh" },
    passes = { "rm notes.txt", "rm -f *.log", "rm /tmp/notes.txt" },
  },
  {
    id = "deletion.trash",
    severity = "medium",
    programs = { "gio", "trash-empty", "trash" },
    looks_at = "gio trash --empty, trash-empty without a number of days",
    when = function(cmd)
      if cmd.name == "trash-empty" then
        return not cmd:operands()[1] and not cmd:flag("--help", "--version", "--dry-run") and cmd.name
      end
      return cmd:flag("--empty", "-e") and (cmd.name == "trash" or cmd:operands()[1] == "trash") and cmd.name
    end,
    reason = "{detail} deletes for good all that the user has put into the trash.",
    advice = "Leave that to the user.",
    suggestion = "gio list trash:///",
    blocked = { "gio trash --empty", "trash-empty" },
    passes = { "gio trash build", "trash-empty 30", "gio list trash:///" },
  },
  {
    id = "deletion.by-tool",
    severity = "high",
    on = "file",
    about = "tool",
    looks_at = "what a tool that isn't a shell deletes: whole folders that others need, the working folder, .git",
    when = function(file, scene)
      if file.access ~= "delete" or rawget(file, "cmd") then
        return nil
      end
      local place, target = scene:place(file), file.path
      local whole = place == "system" and path.dir(target) == "/" or place == "git" and path.base(target):lower() == ".git"
      return (WHOLE[place] or whole) and target or nil
    end,
    reason = "This deletes {detail}, with everything in it.",
    advice = "Delete what you mean by its own name, inside of the working folder.",
    suggestion = "rm build/app.o build/main.o",
    tool = true,
    blocked = { "a tool's deletion of .git", "a tool's deletion of /etc" },
    passes = { "a tool's deletion of src/old.go" },
  },
  {
    id = "deletion.by-tool-outside",
    severity = "medium",
    on = "file",
    about = "tool",
    looks_at = "what a tool that isn't a shell deletes or moves away: files outside of the working folder, and in .git",
    when = function(file, scene)
      if file.access ~= "delete" or rawget(file, "cmd") or not rawget(file, "of_files") then
        return nil
      end
      local place, kind = scene:place(file), keyfiles.kind(file, scene)
      if kind and kind ~= "git" then
        return nil -- other rules are about these
      end
      return (place == "outside" or place == "system" or place == "git" and not LEFT_BEHIND:match(file.path)) and file.path or nil
    end,
    reason = "This takes {detail} away, which isn't the project's, or is git's own.",
    advice = "Delete and move only what lies inside the working folder, or ask the user to do it.",
    suggestion = "rm build/app.o build/main.o",
    tool = true,
    blocked = { "a tool's deletion of ../other/a.go", "a tool's move of .git/config" },
    passes = { "a tool's deletion of src/old.go", "a tool's move of a.txt to b.txt" },
  },
} }
