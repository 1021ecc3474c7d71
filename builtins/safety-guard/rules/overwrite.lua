-- Losing files without deleting them: moved away from where they are needed, emptied, or replaced by a mirror's.

local keyfiles = require("keyfiles")

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

-- A name with an ending: a file, as far as names tell.
local ENDING = patterns.later([[[^./][^/]*\.[A-Za-z0-9]{1,8}$]])

-- The folders in a home folder that are the user's own.
local OWN_FOLDERS = patterns.later([[^(Desktop|Documents|Library|Movies|Music|Pictures|Public|Videos|Photos)(/[^/]*)?$]])

-- Where a move goes, as {path, place}.
local function targets_of(cmd, scene)
  local list = {}
  for _, file in ipairs(cmd:files("write")) do
    if not file.redirected then
      list[#list + 1] = { path = file.path, place = scene:place(file) }
    end
  end
  return list
end

-- Whether what lies outside the project is taken away from where it belongs: into a folder for temporary files, or
-- a folder, or one of the user's own files, anywhere but beside itself. A file that goes into the project, or
-- what stays within the folder that the line works in, is everyday work.
local function taken(file, cmd, scene, targets)
  local below_home = scene.home and path.is_abs(file.path) and path.inside(scene.home, file.path) and path.rel(scene.home, file.path)
  local whole = below_home and OWN_FOLDERS:match(below_home)
  local own = whole or below_home and below_home:find("^%.%w") and not below_home:find("/", 1, true)
  local base = path.base(file.path)
  for _, target in ipairs(targets) do
    local beside = path.dir(target.path) == path.dir(file.path)
    local within = path.is_abs(cmd.dir or "") and cmd.dir ~= scene.home and cmd.dir ~= "/" and path.inside(cmd.dir, file.path) and path.inside(cmd.dir, target.path)
    if within or beside and not whole then
      -- it is renamed, or stays
    elseif target.place == "temp" or target.place == "tempdir" then
      return not file.glob or not ENDING:match(base) or own
    elseif not ENDING:match(base) or own and not (target.place == "inside" or target.place == "here") then
      return true
    end
  end
  return false
end

local function moved_outside(cmd, scene)
  local targets
  for _, file in ipairs(cmd:files("delete")) do
    rawset(file, "cmd", cmd)
    if scene:place(file) == "outside" and not KEYS[path.base(file.path):lower()] and not keyfiles.kind(file, scene) then
      targets = targets or targets_of(cmd, scene)
      if taken(file, cmd, scene, targets) then
        return file.path
      end
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
      local place = scene:followed(file)
      if wanted(place, file.path, cmd) then
        return file.path
      end
    end
  end
end

-- Programs that make a folder of this machine the same as a place elsewhere, with the words by which they do so, and the
-- option, if any, by which they delete what isn't there.
local MIRRORS = {
  rclone = { "sync" }, aws = { "s3 sync", option = "--delete" }, gcloud = { "storage rsync", option = "--delete-unmatched-destination-objects" }, gsutil = { "rsync", option = "-d" },
  azcopy = { "sync", option = "--delete-destination=true" }, mc = { "mirror", option = "--remove" }, mcli = { "mirror", option = "--remove" },
  s3cmd = { "sync", option = "--delete-removed" }, s5cmd = { "sync", option = "--delete" },
}
local DRY = rules.set("-n --dry-run --dryrun --fake --interactive -i --help")

-- A place that isn't in a folder of this machine.
local ELSEWHERE = patterns.later([[^[\w+-]+://|^[\w .@-]{2,}:|^:\w+]])

local function has_words(cmd, wanted)
  local said = " " .. table.concat(cmd.args, " ") .. " "
  return said:find(" " .. wanted .. " ", 1, true) ~= nil
end

-- mirrored_from is mirrored for these.
local function mirrored_from(wanted)
  return function(cmd, scene)
    local how = MIRRORS[cmd.name]
    if not how or not has_words(cmd, how[1]) or how.option and not has_words(cmd, how.option) then
      return nil
    end
    local source, target
    for i, word in ipairs(cmd.words) do
      if DRY[word.text] then
        return nil
      elseif i > 1 and word.text:sub(1, 1) ~= "-" and re.match(word.text, "[./:~$]") then
        source, target = target, word
      end
    end
    local alias = re.match(cmd.name, "^mcli?$") and target and not re.match(target.text, "^[./~]")
    if not source or alias or ELSEWHERE:match(target.text) then
      return nil
    end
    local name = target.text
    local place = target.dynamic and "unknown" or scene:where({ path = cmd.dir and not path.is_abs(name) and name:sub(1, 1) ~= "~" and path.join(cmd.dir, name) or path.clean(name), dynamic = false, glob = false })
    return wanted(place, name) and name or nil
  end
end

local function whole_folder(place, target)
  return FOLDERS[place] or place == "system" and is_top(target)
end

local function not_below(place)
  return place == "here" or place == "git" or place == "system" or place == "unknown" or place == "outside"
end

local MIRRORING = {}
for name in pairs(MIRRORS) do
  MIRRORING[#MIRRORING + 1] = name
end
table.sort(MIRRORING)

-- Whether there may be something in a file that only is here: there is none, git has it as it is, or the line has made it.
local function has_content(cmd, file, scene)
  if file.dynamic or file.glob then
    return true
  end
  local known = require("precious").known(file.path, false, scene)
  local earlier = require("earlier")
  return known ~= "absent" and known ~= "kept" and not (known == "nothing" and (earlier.made(cmd, file.path, scene) or earlier.touched(cmd, file.path, scene)))
end

local function emptied(cmd, scene)
  local size = cmd:flag("-s", "--size")
  if type(size) ~= "string" or not re.match(size, [[^(0+[A-Za-z]*$|[-</])]]) then
    return nil
  end
  for _, file in ipairs(cmd:files("write")) do
    local place = scene:place(file)
    local folder = place == "inside" and path.dir(scene:relative(file.path)) -- logs/app.log is made again
    if not file.redirected and place ~= "temp" and place ~= "allowed" and not (folder and require("rebuilt").inside(folder)) and has_content(cmd, file, scene) then
      return file.path
    end
  end
end

local function shredded(cmd, scene)
  for _, file in ipairs(cmd:files("write")) do
    local place = scene:place(file)
    if not file.redirected and place ~= "temp" and place ~= "allowed" then
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

-- Programs that don't read the files that they name, or are about others of that name: elsewhere, or below a script.
local READ_NOTHING = rules.set("echo printf print touch mkdir rmdir rm mv cp ln chmod chown test [ : true false export set cd ls find stat basename dirname realpath readlink " ..
  "which type command date seq yes kill sleep tree du df pwd read for select local declare let trap ssh docker podman nerdctl kubectl oc scp curl wget http https xh aws gh glab az gcloud gsutil " ..
  "rclone nc ncat make gmake npm yarn pnpm bun just task cargo go mvn gradle rake tee sponge Set-Content Out-File Write-Output Write-Host")

-- What git reads of the files that it names.
local GIT_READS = rules.set("diff blame annotate grep")

-- Whether a command only runs another one, that is there itself.
local function only_runs(cmd, scene)
  if re.match(cmd.name or "", [[^(python[\d.]*|pypy3?)$]]) then
    return false
  end
  for _, other in ipairs(scene.commands or {}) do
    if rawequal(other.parent, cmd) then
      return true
    end
  end
  return false
end

-- Whether a command names a file as one that it may read, among its words. One without a dot may be anything's name.
local function names_input(cmd, target, scene)
  local name = cmd.name or ""
  if name == "" or READ_NOTHING[name] or cmd.git and not GIT_READS[cmd.git.subcommand or ""] or cmd.remote or only_runs(cmd, scene) then
    return false
  end
  local base = path.base(target)
  for i, word in ipairs(cmd.args) do
    local before = cmd.args[i - 1] or ""
    local named = before:find("^%-%-?[%w-]*format$") or before == "-f" and cmd.args[1] == "export" -- the format that the output has
    if word:sub(1, 1) ~= "-" and not named and path.base(word) == base and word:find("[./]") and path.clean(cmd.dir and not path.is_abs(word) and path.join(cmd.dir, word) or word) == target then
      return true
    end
  end
  return false
end

-- Parameters whose value a cmdlet has before it opens the file that it writes.
local function is_given(cmd)
  return cmd.parent and re.match(cmd.parent.name or "", "^(Set-Content|Out-File)$") and cmd.parent:flag("-Value", "-InputObject") and true or false
end

local function has_redirect(file)
  local cmd = file.access == "write" and rawget(file, "cmd")
  return cmd and not file.dynamic and cmd.redirects[1] and file.path:sub(1, 5) ~= "/dev/"
end

-- Whether a command reads a file, itself or with what else is in its pipe, that the shell empties for its output
-- before anything has read it.
local function empties_its_input(file, scene)
  local cmd, opens = file.cmd, false
  for _, redirect in ipairs(cmd.redirects) do
    opens = opens or (redirect.op == ">" or redirect.op == ">|" or redirect.op == "&>") and not redirect.empties and path.base(redirect.target) == path.base(file.path)
  end
  local place = opens and scene:place(file)
  if not opens or place == "temp" or place == "allowed" or is_given(cmd) then
    return nil
  end
  for _, other in ipairs(scene:pipeline(cmd)) do
    for _, read in ipairs(other:files("read")) do
      if read.path == file.path and (read.redirected or not READ_NOTHING[other.name or ""] and not only_runs(other, scene) and not other.git) then
        return file.path
      end
    end
    if names_input(other, file.path, scene) then
      return file.path
    end
  end
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
    id = "overwrite.moved-outside",
    severity = "medium",
    programs = { "mv", "gmv" },
    looks_at = "cmd:files(\"delete\"), cmd:files(\"write\"): folders and the user's own files outside of the working folder",
    when = moved_outside,
    reason = "This moves {detail} away, which isn't the project's.",
    advice = "Copy it, or have the user move it.",
    suggestion = "cp -r ../other/lib lib",
    blocked = { "mv ~/Documents x", "mv ../other /tmp/", "mv ~/photos ~/old/photos" },
    passes = { "mv ~/Downloads/data.csv .", "mv ../a.txt ../b.txt", "mv ../old-name ../new-name", "cp -r ../other/lib lib" },
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
    when = mirrored(whole_folder),
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
    looks_at = "cmd:files(\"delete\"): the working folder, .git, what lies outside of it or isn't known",
    when = mirrored(not_below),
    reason = "With its option to delete, this removes from {detail} all that the source doesn't have.",
    advice = "Look at what it would do with --dry-run first, or leave --delete out.",
    suggestion = "rsync -an --delete public/ ../site/",
    blocked = { "rsync -a --delete ../template/ .", 'rsync -a --delete public/ "$TARGET"', "rsync -a --delete public/ /mnt/nas/site/" },
    passes = { "rsync -a ../template/ .", "rsync -a --delete public/ site/" },
  },
  {
    id = "overwrite.mirrored-from",
    severity = "medium",
    programs = MIRRORING,
    looks_at = "cmd.args: a folder of this machine, other than one below the working folder, that rclone, aws, gcloud and the like make the same as a place elsewhere",
    when = mirrored_from(function(place, target)
      return whole_folder(place, target) or not_below(place)
    end),
    reason = "This removes from {detail} all that the source doesn't have.",
    advice = "Look at what it would do with a dry run first, or copy without deleting.",
    suggestion = "rclone copy gdrive: .",
    blocked = { "rclone sync gdrive: .", "aws s3 sync s3://b/docs ~/Documents --delete", "gcloud storage rsync gs://b . --recursive --delete-unmatched-destination-objects",
      "azcopy sync https://shop.blob.core.windows.net/c . --delete-destination=true", "mc mirror --remove --overwrite s3/b .", "s3cmd sync --delete-removed s3://b ./" },
    passes = { "rclone sync . gdrive:backup", "rclone sync gdrive: public/", "rclone sync --dry-run gdrive: .", "rclone copy gdrive: .", "aws s3 sync s3://b/docs .", "aws s3 sync dist s3://b --delete",
      "mc mirror --remove ./dist s3/b" },
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
    passes = { "truncate -s 10M disk.img", "truncate -s +1K disk.img", "truncate -s 0 /tmp/app.log", "touch app.log; truncate -s 0 app.log", "truncate -s 0 logs/development.log" },
  },
  {
    id = "overwrite.itself",
    severity = "medium",
    on = "file",
    about = "redirected",
    gate = has_redirect,
    looks_at = "cmd.redirects, cmd.pipe: a file that is read by the command, or by its pipe, and opened anew for its output",
    when = empties_its_input,
    reason = "The shell empties {detail} for the output before anything has read it.",
    advice = "Write to another file, and move that over it.",
    suggestion = "sort users.csv > users.sorted && mv users.sorted users.csv",
    blocked = { "sort users.csv > users.csv", "python3 -m json.tool package.json > package.json", "npx prettier README.md > README.md", "git diff README.md > README.md", "cat a.txt | grep x > a.txt", "tr a b < notes.txt > notes.txt" },
    passes = { "sort users.csv > sorted.csv", "echo README.md > README.md", "ls a.txt > a.txt", "sort -o users.csv users.csv", "uv export --format requirements.txt > requirements.txt", "cat a.txt >> a.txt", "grep x a.txt | sponge a.txt" },
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
