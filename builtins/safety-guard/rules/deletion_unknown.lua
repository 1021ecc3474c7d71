-- Deletions of something that is known only at run time, and, in the level strict, of anything.

local rebuilt = require("rebuilt")
local victims = require("victims")

local DELETERS = victims.programs

-- Output of a command: it depends on what the command finds.
local PRINTED = patterns.later([[^(\$\(|`)]])

local function is_unknown(victim)
  return victim.place == "unknown" and not victim.how and (victim.recursive or PRINTED:match(victim.path))
end

local function is_found(victim)
  local place = victim.place
  if not victim.found or victim.harmless or place == "temp" or place == "allowed" then
    return false
  end
  return place ~= "tempdir" or not victim.named
end

local function is_piped(victim)
  return victim.how and not victim.found
end

local function any(fits)
  return function(cmd, scene)
    return victims.first(cmd, scene, fits)
  end
end

-- Functions of other languages that delete a folder.
local CALLS = patterns.later([[(?i)(^|[.:\s])(rm|rm_?r|rm_?rf|rm_?tree|rmsync|rmdirsync|rimraf|remove_?tree|remove_?all|remove_entry\w*|rm_rf|delete_?tree|unlink(sync)?|remove(sync)?|delete)!?$]])

local function by_program(cmd, scene)
  local via = cmd.via
  if #via < 2 or not CALLS:match(via[#via]) then
    return nil
  end
  return victims.first(cmd, scene, function(victim)
    return victim.recursive and victim.place == "inside" and not rebuilt.inside(scene:relative(victim.path))
  end)
end

-- A name in quotes that means a folder only without them.
local MEANT = patterns.later([=[^(~[\w-]*(/|$)|\$\{?[A-Z][A-Z_]*\}?(/|$))]=])

local function literal(cmd)
  for i, argument in ipairs(cmd.args) do
    local first = argument:sub(1, 1)
    if (first == "~" or first == "$") and MEANT:match(argument) then
      local word = cmd.words[i]
      if not word.dynamic and not word.home then
        return argument
      end
    end
  end
end

return { class = "deletion", title = "Deletion", rules = {
  {
    id = "deletion.unknown",
    severity = "medium",
    programs = DELETERS,
    looks_at = "cmd:files(\"delete\"): a name that isn't known before it runs",
    when = any(is_unknown),
    reason = "This deletes all that {detail} stands for, which can't be known before it runs.",
    advice = "Write the path out.",
    suggestion = "rm build/app.o build/main.o",
    blocked = { 'rm -rf "$DIR"', "rm -rf $(cat list)", "cd $D && rm -rf build" },
    passes = { 'T=$(mktemp -d); rm -rf "$T"', 'D=build; rm -rf "$D"', 'rm -rf "${OUT:-dist}"', 'rm -rf "$TMPDIR/x"' },
  },
  {
    id = "deletion.found",
    severity = "medium",
    programs = DELETERS,
    looks_at = "cmd:files(\"delete\"), cmd.parent: what find names",
    when = any(is_found),
    reason = "This deletes everything that find comes upon in {detail}.",
    advice = "List it first, without the deletion, and delete by name what you mean.",
    suggestion = "find . -name '*.tmp' -print",
    blocked = { "find . -name '*.txt' -delete", "find src -type f -exec rm {} +", "find . -mtime +7 | xargs rm -f" },
    passes = { "find . -name '*.pyc' -delete", "find . -name node_modules -prune -exec rm -rf {} +", "find . -name __pycache__ | xargs rm -rf" },
  },
  {
    id = "deletion.piped",
    severity = "medium",
    programs = DELETERS,
    looks_at = "cmd:files(\"delete\"), cmd.parent: what xargs or parallel reads",
    when = any(is_piped),
    reason = "The input of the pipe decides which files this deletes.",
    advice = "Print the list first, and delete by name what you mean.",
    suggestion = "cat list.txt",
    blocked = { "cat list.txt | xargs rm -rf", "parallel rm < list.txt" },
    passes = { "cat list.txt | xargs ls", "echo build | xargs rm -rf" },
  },
  {
    id = "deletion.by-program",
    severity = "medium",
    programs = DELETERS,
    looks_at = "cmd.via, cmd:files(\"delete\"): a folder that a script in another language deletes",
    when = by_program,
    reason = "A script deletes the folder {detail} here, with everything in it.",
    advice = "Use rm, with the folder's name.",
    suggestion = "rm build/app.o build/main.o",
    blocked = { "python3 -c \"import shutil; shutil.rmtree('data')\"", "node -e \"require('fs').rmSync('data', {recursive: true})\"" },
    passes = { "python3 -c \"import shutil; shutil.rmtree('build')\"", "python3 -c \"import os; os.remove('notes.txt')\"" },
  },
  {
    id = "deletion.literal",
    severity = "medium",
    programs = DELETERS,
    looks_at = "cmd.words: a quoted ~ or $NAME",
    when = literal,
    reason = "{detail} in quotes is a file of that very name and not what it would be without them.",
    advice = "Say which one you mean: ./ before a name.",
    suggestion = "rm build/app.o build/main.o",
    blocked = { "rm -rf '~/x'", "rm -rf '$HOME/x'" },
    passes = { "rm -rf './~'", "rm -rf '$weird'" },
  },
  {
    id = "deletion.recursive",
    severity = "medium",
    level = "strict",
    programs = DELETERS,
    looks_at = "cmd:flag(\"-r\")",
    when = function(cmd)
      return cmd:flag("-r", "-R", "--recursive")
    end,
    reason = "This deletes folders with everything in them.",
    advice = "Delete single files by their names.",
    suggestion = "rm notes.txt",
    blocked = { "rm -r build", "rm -rf /tmp/shop-test" },
    passes = { "rm notes.txt", "rmdir build" },
  },
  {
    id = "deletion.forced",
    severity = "medium",
    level = "strict",
    programs = DELETERS,
    looks_at = "cmd:flag(\"-f\")",
    when = function(cmd)
      return cmd:flag("-f", "--force")
    end,
    reason = "This deletes without asking, even what is write-protected.",
    advice = "Leave the option out.",
    suggestion = "rm notes.txt",
    blocked = { "rm -f notes.txt" },
    passes = { "rm notes.txt", "rm -i notes.txt" },
  },
  {
    id = "deletion.pattern",
    severity = "medium",
    level = "strict",
    programs = DELETERS,
    looks_at = "cmd:files(\"delete\"): patterns and names that aren't known",
    when = function(cmd, scene)
      return victims.first(cmd, scene, function(victim)
        return victim.glob or victim.dynamic or victim.place == "unknown"
      end)
    end,
    reason = "The files that {detail} stands for depend on what is there.",
    advice = "Write the names out.",
    suggestion = "rm a.log b.log",
    blocked = { "rm *.log", 'rm "$FILE"' },
    passes = { "rm a.log", "ls *.log" },
  },
} }
