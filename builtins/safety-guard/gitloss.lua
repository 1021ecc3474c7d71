-- The conditions of git rules on the facts in cmd.git.

local relaxed = require("worktree").spared

local gitloss = {}

local kept -- loaded when it is needed

local function load()
  kept = kept or require("kept")
end

-- spared reports whether nothing is lost by changes that a command discards: the user allows it, the line has made or saved
-- them, or they are among temporary files.
local function spared(cmd, scene, lost)
  if relaxed(cmd, scene) then
    return true
  end
  load()
  return kept.repository(cmd, scene, true) or kept.saved(cmd, scene, lost)
end

gitloss.spared = spared

-- own reports whether a command works on a repository that the line has made, or that is among temporary files.
local function own(cmd, scene)
  load()
  return kept.repository(cmd, scene, false)
end

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

local CLEAN = set({ "clean" })

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

-- cleans is about git clean, unless all that it is told to clean is made again, as where rm is told so.
function gitloss.cleans(cmd, scene)
  local detail = found(CLEAN, cmd)
  if not detail then
    return nil
  end
  local rebuilt, made_again = require("rebuilt"), #cmd.git.paths > 0
  for _, file in ipairs(cmd:files("delete")) do
    local place = scene:place(file)
    made_again = made_again and not file.dynamic and (place == "temp" or place == "inside" and rebuilt.inside(scene:relative(file.path)))
  end
  return not made_again and not spared(cmd, scene) and detail
end

-- shared is changes for losses that aren't limited to one work tree: stashes.
function gitloss.shared(...)
  local subcommands = set({ ... })
  return function(cmd, scene)
    local detail = found(subcommands, cmd)
    return detail and not own(cmd, scene) and detail
  end
end

local WORKTREE = set({ "worktree" })

-- removes_worktree is about work trees that go with their changes.
function gitloss.removes_worktree(cmd, scene)
  local detail = found(WORKTREE, cmd)
  if not detail or own(cmd, scene) then
    return nil
  end
  return not kept.worktrees(cmd, scene) and detail
end

-- commits returns the condition of a rule about subcommands that lose commits, or the names of commits.
function gitloss.commits(...)
  local subcommands = set({ ... })
  return function(cmd, scene)
    local g = cmd.git
    return g and subcommands[g.subcommand] and (g.rewrites_history or g.deletes_refs) and not own(cmd, scene) and "git " .. g.because
  end
end

-- tags is commits for git tag, unless the line has made the tags that go.
function gitloss.tags(cmd, scene)
  local g = cmd.git
  if not g or g.subcommand ~= "tag" or not (g.rewrites_history or g.deletes_refs) or own(cmd, scene) then
    return nil
  end
  return not (g.deletes_refs and kept.refs(cmd, scene, g.operands, false)) and "git " .. g.because
end

-- because reports whether a word is the subject of the facts.
function gitloss.because(g, word)
  return text.contains(" " .. g.because .. " ", " " .. word .. " ")
end

-- A name such as main.go could be a branch's, but is hardly ever one.
local FILE = patterns.later([[(?i)\.(go|mod|sum|jsx?|mjs|tsx?|vue|svelte|py|ipynb|rb|rs|c|h|cc|cpp|hpp|java|kts?|swift|php|cs|fs|scala|ex|exs|erl|hs|ml|lua|pl|sh|bash|zsh|ps1|sql|json|ya?ml|toml|ini|cfg|conf|lock|md|txt|rst|adoc|html?|s?css|less|xml|svg|png|csv|tf|proto|gradle|env|example)$]])

-- Names of files without an ending.
local NAMED = patterns.later([[(^|/)((GNU)?[Mm]akefile|Dockerfile|Containerfile|Gemfile|Rakefile|Procfile|Vagrantfile|Jenkinsfile|Justfile|justfile|Brewfile|Podfile|Fastfile|Pipfile|LICENSE|LICENCE|README|CHANGELOG|NOTICE|AUTHORS|CODEOWNERS)$]])

-- Whether a name is that of a file or a folder in the work tree, and of no branch there.
local function is_there(cmd, name)
  if cmd:flag("-b", "-B", "--orphan", "-t", "--track", "-d", "--detach") then
    return false
  elseif NAMED:match(name) then
    return true
  end
  local works = cmd:git_folders()
  if not works or works.dynamic or not path.is_abs(works.path) or name:find("[$`*?]") or not host.exists(path.join(works.path, name)) then
    return false
  end
  return host.git_branch(works.path, name) == "none"
end

-- names_file is about a checkout of what looks like a file: git takes it for one unless there is a branch with
-- that name.
function gitloss.names_file(cmd, scene)
  local g = cmd.git
  if not g or g.subcommand ~= "checkout" or g.discards_changes or #g.operands ~= 1 or LOCKS[path.base(g.operands[1])] or takes_a_side(cmd) then
    return nil
  end
  local operand = g.operands[1]
  if (g.dynamic and FILE:match(operand) or is_there(cmd, operand)) and not text.contains(operand, "$") and not spared(cmd, scene) then
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

-- aborts is about giving up a merge, which may have begun with changes that weren't committed: git can't always bring these
-- back. A merge that the line itself has begun is none of that kind; neither are a rebase, a cherry-pick and their like,
-- which don't begin with such changes.
function gitloss.aborts(cmd, scene)
  local g = cmd.git
  if not g or g.subcommand ~= "merge" or not g.discards_changes or not gitloss.because(g, "--abort") or spared(cmd, scene) then
    return nil
  end
  return not kept.has_run(cmd, scene, "merge") and "git " .. g.because
end

function gitloss.pushes(cmd)
  local g = cmd.git
  return g and (g.subcommand == "push" or g.subcommand == "send-pack") and g or nil
end

-- goes_to_temp reports whether a push goes to a repository among temporary files.
function gitloss.goes_to_temp(g, scene)
  local remote = g.operands[1]
  return remote and scene:place({ path = remote, dynamic = remote:find("^[$`]") ~= nil, glob = false, under = "" }) == "temp"
end

-- git branch -M main is how a new repository's first branch gets its name.
local FIRST = set({ "main", "master", "trunk" })

function gitloss.branches(cmd, scene)
  local g = cmd.git
  if not g or g.subcommand ~= "branch" or not g.force or not (g.deletes_refs or g.rewrites_history) then
    return nil
  end
  if not g.deletes_refs and #g.operands == 1 and FIRST[g.operands[1]] and gitloss.because(g, "-M") then
    return nil
  elseif own(cmd, scene) or g.deletes_refs and not cmd:flag("-r", "--remotes") and kept.refs(cmd, scene, g.operands, true) then
    return nil
  end
  return "git " .. g.because
end

-- resets_branch is about checkout -B and switch -C of a branch that is there: it leaves its commits for those of
-- another. Without the commit to go to it is the current one. git itself keeps them for a while, so only branches
-- count that people share, and those that are known to have commits of their own.
function gitloss.resets_branch(cmd, scene)
  local g = cmd.git
  local option = g and g.rewrites_history and (g.subcommand == "checkout" and "-B" or g.subcommand == "switch" and "-C")
  if not option then
    return nil
  end
  local branch = option == "-B" and cmd:flag("-B") or cmd:flag("-C", "--force-create")
  if type(branch) ~= "string" or own(cmd, scene) or kept.refs(cmd, scene, { branch }, true) then
    return nil
  end
  local works = cmd:git_folders()
  local alone = works and not works.dynamic and path.is_abs(works.path) and host.git_branch(works.path, branch) == "alone"
  return (alone or #g.operands > 0 and kept.is_shared(branch)) and ("git %s %s %s"):format(g.subcommand, option, branch)
end

-- fetches_over is about branches here that git fetch and pull are told to replace by those of a remote, whatever
-- commits they have.
function gitloss.fetches_over(cmd, scene)
  local g = cmd.git
  if not g or g.subcommand ~= "fetch" and g.subcommand ~= "pull" or g.dry_run then
    return nil
  end
  load()
  for _, refspec in ipairs(g.refspecs) do
    local target = refspec.force and refspec.target:gsub("^refs/heads/", "") or ""
    local source = refspec.source:gsub("^refs/heads/", "")
    if target ~= "" and not text.starts_with(target, "refs/") and (target == source or kept.is_shared(target)) or target == "refs/*" then
      return not own(cmd, scene) and not (kept.refs(cmd, scene, { target }, true)) and ("git %s +%s:%s"):format(g.subcommand, source, target)
    end
  end
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

-- skips_hooks: a folder without hooks switches them off for later commands; one that anybody can write to has hooks of
-- anybody's.
function gitloss.skips_hooks(cmd, scene)
  local g = cmd.git
  if g and g.stored and g.stored.key == "core.hookspath" and not g.stored.dynamic then
    local folder = g.stored.value
    local temp = cmd:flag("--global", "--system") and path.is_abs(folder) and scene:where({ path = folder, dynamic = false, glob = false }) == "temp"
    return (folder == "" or temp or path.is_abs(folder) and path.inside("/dev", folder)) and "git config core.hooksPath"
  end
  return g and g.skips_hooks and "git " .. g.subcommand
end

local OFF = set({ "false", "0", "no", "off" })

-- unverified is about every repository of the user or the machine.
function gitloss.unverified(cmd)
  local setting = cmd.git and cmd.git.stored
  local off = setting and setting.key:find("^http%..*sslverify$") and OFF[setting.value:lower()]
  return off and cmd:flag("--global", "--system") and "http.sslVerify=" .. setting.value
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
