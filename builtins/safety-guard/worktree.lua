-- Whether a git command works in a linked worktree, which is disposable.

local worktree = {}

-- spared reports whether the option worktrees allows the command to lose uncommitted changes: it runs in a
-- linked worktree, and nothing directs it to another repository.
function worktree.spared(cmd, scene)
  local folder = cmd.dir
  if not scene.settings.relaxed or not folder or cmd.remote or cmd.git.elsewhere then
    return false
  end
  if cmd.git.dir then
    folder = path.join(folder, cmd.git.dir)
  end
  return path.is_abs(folder) and host.worktree(folder)
end

return worktree
