-- Commits that become unreachable through git. Commits that git reflog can bring back count only in the level
-- strict.

local loss = require("gitloss")
local undone = require("later")("undone")
local commits = loss.commits
local tags, others_refs = loss.tags, commits("update-ref", "symbolic-ref", "replace")

-- The subcommands of other version controls that lose something: always, or with one of these options.
local LOSING = {
  hg = { update = { "-C", "--clean" }, up = { "-C", "--clean" }, checkout = { "-C", "--clean" }, co = { "-C", "--clean" },
    revert = { "-C", "--no-backup" }, purge = true, strip = true, rollback = true, clean = true },
  svn = { revert = true, cleanup = { "--remove-unversioned", "--remove-ignored" } },
  jj = { abandon = true, restore = true },
  sl = { revert = { "-C", "--no-backup" }, purge = true, clean = true, hide = true, ["goto"] = { "-C", "--clean" } },
  bzr = { revert = { "--no-backup" }, ["clean-tree"] = { "--force" }, uncommit = { "--force" } },
  p4 = { revert = true, clean = true, obliterate = { "-y" }, sync = { "-f" } },
  repo = { sync = { "--force-remove-dirty" }, abandon = true },
  dolt = { reset = { "--hard" }, clean = true },
}
-- With these options they keep what has changed.
local SPARES = { ["p4 revert"] = { "-a", "-k" } }
LOSING.brz = LOSING.bzr

local function others(cmd)
  local subcommand = cmd:subcommand()
  local options = LOSING[cmd.name][subcommand]
  if not options or cmd:flag("--help", "-h", "-n", "--dry-run", "--print") then
    return nil
  end
  local called = cmd.name .. " " .. subcommand
  return (options == true or cmd:flag(unpack(options))) and not (SPARES[called] and cmd:flag(unpack(SPARES[called]))) and called
end

return { class = "git", title = "git: changes and history", rules = {
  {
    id = "git.push-force",
    severity = "high",
    programs = { "git push", "git send-pack" },
    only = "loses",
    looks_at = "cmd.git: push with force: an option, --mirror, + before a refspec, also in remote.*.push as the command, the line or .git/config has it",
    when = function(cmd, scene)
      local g = loss.pushes(cmd)
      return g and not loss.goes_to_temp(g, scene) and (g.force and g.rewrites_history and "git " .. g.because or #g.refspecs == 0 and undone.pushes_by_setting(cmd, scene))
    end,
    reason = "{detail} replaces commits on the remote, also those of others.",
    advice = "--force-with-lease refuses if there are commits that you haven't seen.",
    suggestion = "git push --force-with-lease origin topic",
    blocked = { "git push --force", "git push origin +main", "git push --mirror backup", "git push -uf origin topic" },
    passes = { "git push --force-with-lease", "git push -u origin topic", "git push --dry-run --force", "git push --force /tmp/copy.git HEAD:main" },
  },
  {
    id = "git.push-delete",
    severity = "medium",
    programs = { "git push", "git send-pack" },
    only = "loses",
    looks_at = "cmd.git: push that deletes: --delete, --prune, :branch",
    when = function(cmd)
      local g = loss.pushes(cmd)
      return g and g.deletes_refs and "git " .. g.because
    end,
    reason = "{detail} deletes branches or tags on the remote.",
    advice = "Leave that to the forge, which does it when a pull request is merged.",
    suggestion = "git fetch --prune",
    blocked = { "git push origin --delete topic", "git push origin :topic", "git push --prune origin" },
    passes = { "git push origin topic", "git branch -d topic", "git push origin main:topic" },
  },
  {
    id = "git.branch-force",
    severity = "medium",
    programs = { "git branch" },
    only = "loses",
    looks_at = "cmd.git: branch -D, -M, -C, -f; the commands before it, and .git, for what else leads to the commits",
    when = loss.branches,
    reason = "{detail} drops or moves a branch even if nothing else leads to its commits.",
    advice = "The lower-case options refuse to lose commits.",
    suggestion = "git branch -d topic",
    blocked = { "git branch -D topic", "git branch -f main HEAD~3", "git branch -M old main", "git branch -d --force topic" },
    passes = { "git branch -d topic", "git branch -M main", "git branch topic", "git branch --list -D --help" },
  },
  {
    id = "git.branch-reset",
    severity = "medium",
    programs = { "git checkout", "git switch" },
    only = "loses",
    looks_at = "cmd.git: checkout -B and switch -C to another commit, of a shared branch or one that .git knows to have commits of its own",
    when = loss.resets_branch,
    reason = "{detail} has the branch leave its commits for others.",
    advice = "git pull --ff-only or git reset --keep refuse to lose what is there; -b and -c only make a new branch.",
    suggestion = "git switch -c topic origin/main",
    blocked = { "git checkout -B main origin/main", "git switch -C master HEAD~3" },
    passes = { "git checkout -B topic origin/topic", "git switch -C main", "git checkout -b main origin/main" },
  },
  {
    id = "git.fetch-force",
    severity = "medium",
    programs = { "git fetch", "git pull" },
    only = "loses",
    looks_at = "cmd.git.refspecs: fetch and pull with force into a branch of the same name or a shared one",
    when = loss.fetches_over,
    reason = "{detail} replaces the branch here, and commits that only it has.",
    advice = "Without the + git refuses to lose them.",
    suggestion = "git fetch origin main:main",
    blocked = { "git fetch origin +main:main", "git fetch -f origin topic:topic", "git fetch origin '+refs/heads/*:refs/heads/*'" },
    passes = { "git fetch origin main:main", "git fetch --force", "git fetch origin +main:refs/remotes/origin/main", "git fetch -f origin pull/7/head:pr-7" },
  },
  {
    id = "git.refs",
    severity = "medium",
    programs = { "git tag", "git update-ref", "git symbolic-ref", "git replace" },
    only = "loses",
    looks_at = "cmd.git: tags and refs that are deleted or moved",
    when = function(cmd, scene)
      return tags(cmd, scene) or others_refs(cmd, scene)
    end,
    reason = "{detail} deletes or moves a name that may be all that leads to its commits.",
    advice = "Make a new name, and leave the old one.",
    suggestion = "git tag v1.0.1",
    blocked = { "git tag -d v1.0.0", "git tag -f v1.0.0", "git update-ref -d refs/heads/topic" },
    passes = { "git tag v1.0.0", "git tag --list", "git symbolic-ref HEAD", "git replace --list" },
  },
  {
    id = "git.annex",
    severity = "medium",
    programs = { "git annex" },
    looks_at = "cmd.args: drop, dropunused, dropkey, trust and dead with --force; uninit",
    when = function(cmd)
      local verb = cmd:operands()[1] == "annex" and cmd:operands()[2] or cmd:operands()[1]
      local forced = cmd:flag("--force") or re.match(table.concat(cmd.args, " "), [[(^| )--force( |$)]])
      return verb and re.match(verb, "^(drop|dropunused|dropkey|trust|dead)$") and forced and "git annex " .. verb .. " --force" or verb == "uninit" and "git annex uninit"
    end,
    reason = "{detail} deletes files though nobody may have another copy.",
    advice = "Without --force, git annex makes sure that there is one.",
    suggestion = "git annex whereis",
    blocked = { "git annex drop --force video.mp4", "git annex dropunused --force all" },
    passes = { "git annex drop video.mp4", "git annex get video.mp4" },
  },
  {
    id = "git.rewrite",
    severity = "high",
    programs = { "git filter-branch", "git filter-repo", "git fast-import", "git lfs", "git history", "git replay" },
    only = "loses",
    looks_at = "cmd.git: filter-branch, filter-repo and their like",
    when = commits("filter-branch", "filter-repo", "fast-import", "lfs", "history", "replay"),
    reason = "{detail} replaces the commits of whole branches.",
    advice = "Do that in a fresh clone, with a person who knows who else works on these branches; git filter-repo --analyze only looks.",
    suggestion = "git filter-repo --analyze",
    blocked = { "git filter-branch --tree-filter 'rm -f key.pem' HEAD", "git filter-repo --path src", "git lfs migrate import --everything" },
    passes = { "git filter-repo --analyze", "git lfs migrate info", "git log --follow src" },
  },
  {
    id = "git.bfg",
    severity = "high",
    programs = { "bfg", "bfg.jar" },
    looks_at = "the program bfg with operands",
    when = { operand = "." , unless = { "--help", "--version", "-h" } },
    reason = "bfg replaces the commits of all branches.",
    advice = "Do that in a fresh clone, with a person who knows who else works on these branches.",
    suggestion = "git log --all -- key.pem",
    blocked = { "bfg --delete-files key.pem repo.git" },
    passes = { "bfg --help", "bfg --version" },
  },
  {
    id = "git.reflog",
    severity = "high",
    programs = { "git reflog" },
    only = "loses",
    looks_at = "cmd.git: reflog expire, delete, drop",
    when = commits("reflog"),
    reason = "{detail} deletes the records from which lost commits can be restored.",
    advice = "Git itself drops entries that are older than 90 days.",
    suggestion = "git reflog show",
    blocked = { "git reflog expire --expire=now --all", "git reflog delete HEAD@{2}" },
    passes = { "git reflog", "git reflog expire --dry-run --all", "git log -g" },
  },
  {
    id = "git.prune",
    severity = "medium",
    programs = { "git gc", "git prune", "git repack" },
    only = "loses",
    looks_at = "cmd.git: gc, prune and repack that keep nothing for a while",
    when = commits("gc", "prune", "repack"),
    reason = "{detail} deletes commits that a mistake has cut off and that could still be brought back.",
    advice = "git gc keeps them for two weeks.",
    suggestion = "git gc",
    blocked = { "git gc --prune=now", "git prune", "git repack -a -d" },
    passes = { "git gc --aggressive", "git prune --dry-run", "git repack -A -d", "git remote prune origin" },
  },
  {
    id = "git.others",
    severity = "medium",
    programs = { "hg", "svn", "jj", "sl", "bzr", "brz", "p4", "repo", "dolt" },
    looks_at = "cmd.name, cmd:operands() and cmd:flag(): what loses changes in other version controls",
    when = others,
    reason = "{detail} throws away changes that aren't committed, or commits.",
    advice = "Look at them with diff and put them aside with shelve or in a commit.",
    suggestion = "hg shelve",
    blocked = { "hg update --clean", "hg revert --all --no-backup", "svn revert -R .", "svn cleanup --remove-unversioned", "jj abandon @-" },
    passes = { "hg update default", "svn revert --help", "svn cleanup", "jj log", "hg status" },
  },
  {
    id = "git.extras",
    severity = "medium",
    programs = { "git undo", "git clear", "git reset-file", "git obliterate", "git delete-branch", "git force-clone" },
    looks_at = "cmd.git.subcommand: commands of git-extras that lose changes or commits",
    when = function(cmd)
      local subcommand = cmd.git and cmd.git.subcommand
      local asks = not subcommand or cmd:flag("--help") or subcommand == "undo" and not cmd:flag("--hard", "-h")
      return not asks and #cmd.args > (subcommand == "clear" and 0 or 1) and "git " .. subcommand or nil
    end,
    reason = "{detail} throws away changes that aren't committed, or commits.",
    advice = "Look at them with git diff, and put them aside with git stash.",
    suggestion = "git stash push --message wip",
    blocked = { "git undo --hard", "git reset-file main.go", "git clear" },
    passes = { "git undo", "git undo --soft", "git clear --help" },
  },
  {
    id = "git.history",
    severity = "medium",
    level = "strict",
    programs = { "git push", "git rebase", "git commit", "git branch", "git checkout", "git switch", "git reset", "git pull", "git fetch", "git worktree", "git remote" },
    only = "loses",
    looks_at = "cmd.git: anything that replaces commits or deletes names of them",
    when = function(cmd)
      local g = cmd.git
      return g and (g.rewrites_history or g.deletes_refs) and "git " .. g.because
    end,
    reason = "{detail} replaces commits, or deletes a name that leads to them.",
    advice = "Add a commit instead, as git revert does, or make a new branch.",
    suggestion = "git revert --no-edit HEAD",
    blocked = { "git push --force-with-lease origin topic", "git commit --amend", "git rebase main", "git branch -d topic" },
    passes = { "git commit -m x", "git merge main", "git branch topic" },
  },
  {
    id = "git.push-main",
    severity = "medium",
    level = "strict",
    programs = { "git push" },
    looks_at = "cmd.git.refspecs of push",
    when = loss.to_main,
    reason = "This pushes straight to {detail}.",
    advice = "Push a branch, and have it reviewed.",
    suggestion = "git push origin topic",
    blocked = { "git push origin main", "git push origin HEAD:refs/heads/master" },
    passes = { "git push origin topic", "git fetch origin main" },
  },
} }
