-- Losing files without deleting them: moved away from where they are needed, emptied, or replaced by a mirror's.

local function places(...)
  local set = {}
  for _, place in ipairs({ ... }) do
    set[place] = true
  end
  return set
end

local FOLDERS = places("root", "home", "mount")

-- A folder directly below /, such as /etc.
local function is_top(target)
  return path.dir(target) == "/"
end

local function moved(cmd, scene)
  for _, file in ipairs(cmd:files("delete")) do
    local place = scene:place(file)
    if FOLDERS[place] or place == "system" and is_top(file.path) then
      return file.path
    end
  end
end

local KEYS = { [".ssh"] = true, [".aws"] = true, [".gnupg"] = true, [".kube"] = true }

local function moved_system(cmd, scene)
  for _, file in ipairs(cmd:files("delete")) do
    local place = scene:place(file)
    local base = path.base(file.path):lower()
    if place == "system" or place == "git" and base == ".git" or place == "outside" and KEYS[base] then
      return file.path
    end
  end
end

local function moved_to_nothing(cmd)
  for _, operand in ipairs(cmd:operands()) do
    if operand == "/dev/null" then
      return true
    end
  end
end

-- The target of an rsync that deletes files there that the source doesn't have.
local function mirrored(wanted)
  return function(cmd, scene)
    if cmd:flag("-n", "--dry-run", "--list-only") then
      return nil
    end
    for _, file in ipairs(cmd:files("delete")) do
      local place = scene:place(file)
      if wanted(place, file.path, cmd) then
        return file.path
      end
    end
  end
end

local function emptied(cmd, scene)
  local size = cmd:flag("-s", "--size")
  if type(size) ~= "string" or not re.match(size, [[^(0+[A-Za-z]*$|[-</])]]) then
    return nil
  end
  for _, file in ipairs(cmd:files("write")) do
    local place = scene:place(file)
    if place ~= "temp" and place ~= "allowed" then
      return file.path
    end
  end
end

local function shredded(cmd, scene)
  for _, file in ipairs(cmd:files("write")) do
    local place = scene:place(file)
    if place ~= "temp" and place ~= "allowed" then
      return file.path
    end
  end
end

-- Programs that only wipe, whatever their arguments.
local function wiped(cmd)
  if cmd:flag("-h", "--help", "-v", "--version") then
    return nil
  end
  return cmd:operands()[1]
end

return { class = "overwrite", title = "Moving, mirroring and emptying", rules = {
  {
    id = "overwrite.moved",
    severity = "critical",
    programs = { "mv", "gmv" },
    looks_at = "cmd:files(\"delete\"): /, home folders, mounts, folders of the system",
    when = moved,
    reason = "This moves {detail} away from everything that needs it.",
    advice = "Move what you mean by its own name.",
    suggestion = "mv notes.txt docs/",
    blocked = { "mv /* /tmp", "mv ~ /tmp/old", "mv --target-directory /tmp /*" },
    passes = { "mv notes.txt docs/", "mv ~/Downloads/notes.txt ." },
  },
  {
    id = "overwrite.moved-system",
    severity = "medium",
    programs = { "mv", "gmv" },
    looks_at = "cmd:files(\"delete\"): what lies in folders of the system, .git, folders of keys",
    when = moved_system,
    reason = "This moves {detail} away, which others rely on.",
    advice = "Copy it, or have the user move it.",
    suggestion = "cp /etc/hosts hosts.bak",
    blocked = { "mv /etc/hosts /tmp/", "mv .git ../old.git", "mv ~/.ssh /tmp/x" },
    passes = { "cp /etc/hosts hosts.bak", "mv .github/a.yml .github/b.yml" },
  },
  {
    id = "overwrite.moved-to-nothing",
    severity = "high",
    programs = { "mv", "gmv" },
    looks_at = "cmd:operands(): /dev/null",
    when = moved_to_nothing,
    reason = "Moving files to /dev/null loses them, or replaces the device.",
    advice = "Delete by name what isn't needed.",
    suggestion = "rm notes.txt",
    blocked = { "mv notes.txt /dev/null" },
    passes = { "mv notes.txt old.txt", "mv a.txt b.txt > /dev/null" },
  },
  {
    id = "overwrite.mirrored",
    severity = "critical",
    programs = { "rsync", "robocopy" },
    looks_at = "cmd:files(\"delete\"): /, home folders, mounts, folders of the system",
    when = mirrored(function(place, target)
      return FOLDERS[place] or place == "system" and is_top(target)
    end),
    reason = "With its option to delete, this removes from {detail} all that the source doesn't have.",
    advice = "Look at what it would do with --dry-run, and name the folder that is meant.",
    suggestion = "rsync -a --delete --dry-run public/ /tmp/site/",
    blocked = { "rsync -a --delete empty/ /", "rsync -a --delete-after src/ ~/" },
    passes = { "rsync -a --delete public/ /tmp/site/", "rsync -an --delete empty/ /", "rsync -a src/ ~/" },
  },
  {
    id = "overwrite.mirrored-here",
    severity = "medium",
    programs = { "rsync", "robocopy" },
    looks_at = "cmd:files(\"delete\"): the working folder, .git, what lies in folders of the system or isn't known",
    when = mirrored(function(place, _, cmd)
      return place == "here" or place == "git" or place == "system" or place == "unknown" or place == "outside" and cmd.name == "robocopy"
    end),
    reason = "With its option to delete, this removes from {detail} all that the source doesn't have.",
    advice = "Look at what it would do with --dry-run first, or leave --delete out.",
    suggestion = "rsync -a public/ ../site/",
    blocked = { "rsync -a --delete ../template/ .", 'rsync -a --delete public/ "$TARGET"' },
    passes = { "rsync -a ../template/ .", "rsync -a --delete public/ site/" },
  },
  {
    id = "overwrite.emptied",
    severity = "medium",
    programs = { "truncate", "gtruncate" },
    looks_at = "cmd:flag(\"-s\"), cmd:files(\"write\")",
    when = emptied,
    reason = "This cuts {detail} off, and what was in it is lost.",
    advice = "Keep a copy of it, or have the user do it.",
    suggestion = "cp app.log app.log.old",
    blocked = { "truncate -s 0 app.log", "truncate --size=0 data.sqlite" },
    passes = { "truncate -s 10M disk.img", "truncate -s +1K disk.img", "truncate -s 0 /tmp/app.log" },
  },
  {
    id = "overwrite.shredded",
    severity = "medium",
    programs = { "shred", "gshred" },
    looks_at = "cmd:files(\"write\")",
    when = shredded,
    reason = "This writes over {detail} so that it can never be restored.",
    advice = "Have the user do it.",
    suggestion = "ls -l",
    blocked = { "shred -u secret.key", "find keys -type f -exec shred {} +" },
    passes = { "shred --help", "shred /tmp/shop-test/key" },
  },
  {
    id = "overwrite.wiped",
    severity = "medium",
    programs = { "wipe", "scrub", "sfill", "sdelete", "sdelete64", "bcwipe" },
    looks_at = "cmd:operands()",
    when = wiped,
    reason = "This writes over {detail} so that it can never be restored.",
    advice = "Have the user do it.",
    suggestion = "ls -l",
    blocked = { "wipe -rf keys", "scrub -p dod disk.img" },
    passes = { "wipe --help", "npm run wipe" },
  },
} }
