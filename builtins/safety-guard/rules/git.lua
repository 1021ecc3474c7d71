-- What git throws away for good: changes that aren't committed, and commits that nothing
-- leads to any more.

return { class = "git", title = "git: changes and history", rules = {
  {
    id = "git.reset-hard",
    severity = "high",
    programs = { "git" },
    looks_at = "cmd.git: reset that discards changes",
    when = function(cmd)
      return cmd.git and cmd.git.subcommand == "reset" and cmd.git.discards_changes
    end,
    reason = "git reset --hard throws away every change that isn't committed.",
    advice = "Put them aside with git stash, or use git reset --keep, which refuses to lose them.",
    suggestion = "git stash push --include-untracked",
    blocked = { "git reset --hard", "git -C lib reset --hard HEAD~2" },
    passes = { "git reset --keep HEAD~1", "git reset HEAD file.txt" },
  },
} }
