-- The conditions of git rules on the facts in cmd.git.

local spared = require("worktree").spared

local gitloss = {}

local function set(names)
  local all = {}
  for _, name in ipairs(names) do
    all[name] = true
  end
  return all
end

local function found(subcommands, cmd)
  local g = cmd.git
  return g and g.discards_changes and subcommands[g.subcommand] and "git " .. g.because
end

-- Files that package managers write, and can make again.
local LOCKS = set({ "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "deno.lock", "Cargo.lock", "Gemfile.lock",
  "poetry.lock", "uv.lock", "Pipfile.lock", "pdm.lock", "composer.lock", "Podfile.lock", "pubspec.lock", "mix.lock", "flake.lock", ".terraform.lock.hcl" })

-- names_locks: only such files are replaced.
local function names_locks(g)
  for _, name in ipairs(g.paths) do
    if not LOCKS[path.base(name)] then
      return false
    end
  end
  return #g.paths > 0
end

-- takes_a_side: one side of a file with a conflict is taken.
local function takes_a_side(cmd)
  if not cmd:flag("--ours", "--theirs") or cmd:flag("-f", "--force") then
    return false
  end
  for _, name in ipairs(cmd.git.paths) do
    if path.clean(name) == "." or name:find("[*?:$]") then
      return false
    end
  end
  return true
end

-- changes returns the condition of a rule about subcommands that lose uncommitted changes.
function gitloss.changes(...)
  local subcommands = set({ ... })
  return function(cmd, scene)
    local detail = found(subcommands, cmd)
    if not detail or (cmd.git.subcommand == "checkout" or cmd.git.subcommand == "restore") and (names_locks(cmd.git) or takes_a_side(cmd)) then
      return nil
    end
    return not spared(cmd, scene) and detail
  end
end

-- shared is changes for losses that aren't limited to one work tree: stashes, and other work trees.
function gitloss.shared(...)
  local subcommands = set({ ... })
  return function(cmd)
    return found(subcommands, cmd)
  end
end

-- commits returns the condition of a rule about subcommands that lose commits, or the names of commits.
function gitloss.commits(...)
  local subcommands = set({ ... })
  return function(cmd)
    local g = cmd.git
    return g and subcommands[g.subcommand] and (g.rewrites_history or g.deletes_refs) and "git " .. g.because
  end
end

-- because reports whether a word is the subject of the facts.
function gitloss.because(g, word)
  return text.contains(" " .. g.because .. " ", " " .. word .. " ")
end

-- A name such as main.go could be a branch's, but is hardly ever one.
local FILE = patterns.later([[(?i)\.(go|mod|sum|jsx?|mjs|tsx?|vue|svelte|py|ipynb|rb|rs|c|h|cc|cpp|hpp|java|kts?|swift|php|cs|fs|scala|ex|exs|erl|hs|ml|lua|pl|sh|bash|zsh|ps1|sql|json|ya?ml|toml|ini|cfg|conf|lock|md|txt|rst|adoc|html?|s?css|less|xml|svg|png|csv|tf|proto|gradle|env|example)$]])

-- names_file is about a checkout of what looks like a file: git takes it for one unless there is a branch with
-- that name.
function gitloss.names_file(cmd, scene)
  local g = cmd.git
  if not g or g.subcommand ~= "checkout" or g.discards_changes or not g.dynamic or #g.operands ~= 1 or LOCKS[path.base(g.operands[1])] or takes_a_side(cmd) then
    return nil
  end
  local operand = g.operands[1]
  if FILE:match(operand) and not text.contains(operand, "$") and not spared(cmd, scene) then
    return operand
  end
end

-- restores_parts: without a terminal nobody answers the questions of restore --patch.
function gitloss.restores_parts(cmd, scene)
  local g = cmd.git
  if not g or g.subcommand ~= "restore" or g.discards_changes or not cmd:flag("-p", "--patch") or cmd:flag("--help") then
    return nil
  end
  return (not cmd:flag("-S", "--staged") or cmd:flag("-W", "--worktree")) and not spared(cmd, scene)
end

local ABORTED = set({ "merge", "rebase", "cherry-pick", "revert", "am" })

function gitloss.aborts(cmd, scene)
  local g = cmd.git
  if g and ABORTED[g.subcommand] and g.discards_changes and gitloss.because(g, "--abort") and not spared(cmd, scene) then
    return "git " .. g.because
  end
end

function gitloss.pushes(cmd)
  local g = cmd.git
  return g and (g.subcommand == "push" or g.subcommand == "send-pack") and g or nil
end

-- git branch -M main is how a new repository's first branch gets its name.
local FIRST = set({ "main", "master", "trunk" })

function gitloss.branches(cmd)
  local g = cmd.git
  if not g or g.subcommand ~= "branch" or not g.force or not (g.deletes_refs or g.rewrites_history) then
    return nil
  end
  if not g.deletes_refs and #g.operands == 1 and FIRST[g.operands[1]] and gitloss.because(g, "-M") then
    return nil
  end
  return "git " .. g.because
end

-- For these, the words that xargs and parallel add may be any option, or files.
local OPEN = set({ "push", "reset", "clean", "checkout", "switch" })
local ADDING = set({ "xargs", "parallel" })

function gitloss.open_ended(cmd)
  local g = cmd.git
  if g and g.dynamic and not g.subcommand and #cmd.words == 1 and ADDING[cmd.via[#cmd.via]] then
    return "git"
  end
  return g and g.dynamic and OPEN[g.subcommand] and ADDING[cmd.via[#cmd.via]] and "git " .. g.subcommand
end

-- skips_hooks: a folder without hooks switches them off for later commands.
function gitloss.skips_hooks(cmd)
  local g = cmd.git
  if g and g.stored and g.stored.key == "core.hookspath" and not g.stored.dynamic then
    local folder = g.stored.value
    return (folder == "" or path.is_abs(folder) and path.inside("/dev", folder)) and "git config core.hooksPath"
  end
  return g and g.skips_hooks and "git " .. g.subcommand
end

local SHARED = patterns.later([[^(refs/heads/)?(main|master|trunk|develop|production|release(/.*)?)$]])

-- to_main is about branches that others work from.
function gitloss.to_main(cmd)
  local g = gitloss.pushes(cmd)
  for _, refspec in ipairs(g and not g.dry_run and g.refspecs or {}) do
    if SHARED:match(refspec.target) then
      return refspec.target
    end
  end
end

-- unknown is about words that are only known at run time, not about names that may be a branch's or a file's.
function gitloss.unknown(cmd)
  local g = cmd.git
  if not g or not g.dynamic then
    return nil
  end
  for _, word in ipairs(cmd.words) do
    if word.dynamic then
      return "git " .. (g.subcommand or word.text)
    end
  end
end

return gitloss
