-- A repository's own files, written past git.

local OWN = patterns.later([[(?i)(^|/)\.git/((modules|worktrees)/.+/)?(HEAD|ORIG_HEAD|index|packed-refs|shallow|((objects|refs|logs)(/.*)?))$]])

-- Programs that leave what is in a file as it is.
local LEAVES = { chmod = true, chown = true, chgrp = true, touch = true, mkdir = true }

-- in_repository is the gate of by_hand.
local function in_repository(file)
  return file.access ~= "read" and file.path:lower():find(".git/", 1, true) ~= nil
end

-- by_hand is about files in .git that only git should write.
local function by_hand(file, scene)
  local cmd = file.cmd
  if cmd and LEAVES[cmd.name or ""] or text.ends_with(file.path, ".lock") or not OWN:match(file.path) then
    return nil
  end
  return scene:where({ path = file.path, dynamic = false, glob = false }) == "git" and file.path or nil
end

return { class = "git", title = "git: changes and history", rules = {
  {
    id = "git.by-hand",
    severity = "medium",
    on = "file",
    gate = in_repository,
    looks_at = "files that are written or deleted: HEAD, index, refs, objects and logs in .git",
    when = by_hand,
    reason = "{detail} is git's own: written past git, commits or all of the repository may be lost.",
    advice = "Let git do it: git switch, git update-ref, git gc.",
    suggestion = "git switch main",
    blocked = { "echo 'ref: refs/heads/main' > .git/HEAD", "cp /tmp/index .git/index", "mv .git/objects /tmp/objects" },
    passes = { "cat .git/HEAD", "rm -f .git/index.lock", "echo build >> .git/info/exclude", "cp .git/index /tmp/index" },
  },
} }
