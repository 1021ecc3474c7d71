-- What a git command would throw away though nothing is lost by it: the line itself has made it, or has saved it, or it
-- lies among temporary files.
--
-- The line has made a repository that it inits, clones or adds as a work tree where nothing was before. It has saved
-- changes in a stash, in a commit, in a patch of all that goes (git diff > p), or in a copy of the files (cp, mv). What git saves must
-- have succeeded, because git refuses to in the middle of a merge, and hooks refuse a commit; a patch or a copy must have been made, and
-- must be there at the end, or be put back before it goes.

local kept = {}

-- A line of more commands than that isn't looked through.
local MANY = 400

-- The programs whose commands are of interest.
local OF_INTEREST = { git = true, cd = true, pushd = true, mkdir = true, rm = true, cp = true, mv = true, mktemp = true }

-- before lists the earlier commands of interest that haven't failed, as cmd:before() does, once for each command.
local last, last_list

local function before(cmd, scene)
  if cmd == last then
    return last_list
  end
  local list = {}
  if scene.commands and #scene.commands <= MANY then
    for _, earlier in ipairs(cmd:before()) do
      if OF_INTEREST[earlier.cmd.name or ""] and not earlier.cmd.remote and not earlier.failed then
        list[#list + 1] = earlier
      end
    end
  end
  last, last_list = cmd, list
  return list
end

-- within reports whether a path is another one or below it; the part that isn't known counts as it is written.
local function within(folder, target)
  return folder == target or target:sub(1, #folder + 1) == folder .. "/" or folder == "/"
end

-- Whether an earlier one of the list, up to the one at the number, has deleted the path.
local function was_deleted(list, upto, target)
  for i = 1, upto - 1 do
    if list[i].cmd.name == "rm" then
      for _, file in ipairs(list[i].cmd:files("delete")) do
        if not file.glob and within(file.path, target) then
          return true
        end
      end
    end
  end
  return false
end

-- is_new reports whether nothing was at a path before the line made it, with the command at the number.
local function is_new(list, at, file, scene)
  if file.dynamic then
    return file.temporary
  elseif not path.is_abs(file.path) or scene.cwd and path.inside(file.path, scene.cwd) then
    return false
  end
  return not host.exists(file.path) or was_deleted(list, at, file.path)
end

-- Adds the folders that a command makes, by path.
local function add_made(folders, cmd)
  if cmd.name == "mkdir" then
    for _, file in ipairs(cmd:files("write")) do
      folders[#folders + 1] = file.path
    end
  elseif cmd.name == "git" and cmd.git and cmd.git.subcommand == "init" then
    local _, makes = cmd:git_folders()
    folders[#folders + 1] = makes and makes.path
  end
end

-- arrives reports whether each cd before a command is sure to lead where it says: else the command may run in the
-- folder before. It is sure where the command wouldn't run without it, and where the folder is there, or the line makes
-- it by mkdir or git init, which hardly ever fail; a clone may.
local function arrives(cmd, list, scene)
  if cmd.dir and cmd.dir == scene.start then
    return true
  end
  local sure, folders = {}, {}
  for _, earlier in ipairs(list) do
    sure[earlier.cmd] = earlier.succeeded
  end
  for _, other in ipairs(scene.commands or {}) do
    if other == cmd then
      break
    elseif (other.name == "cd" or other.name == "pushd") and not sure[other] then
      local file = other:files()[1]
      local there = not file or file.dynamic and file.temporary or path.is_abs(file.path) and host.exists(file.path)
      for _, folder in ipairs(file and folders or {}) do
        there = there or within(file.path, folder)
      end
      if not there then
        return false
      end
    end
    add_made(folders, other)
  end
  return true
end

-- temporary reports whether a file is among temporary ones, also by the links that it leads through. From a working folder among
-- these, only what mktemp has made is.
local function temporary(file, scene)
  if file.dynamic then
    return file.temporary and not file.path:find("/..", 1, true)
  elseif scene:where(file) ~= "temp" or scene:leads_out(file.path) then
    return false
  end
  return scene:where({ path = host.real(file.path), dynamic = false, glob = false }) == "temp"
end

-- Whether the line itself has a path lead elsewhere: by a link, or by mounting something there.
local function is_linked(file, scene)
  for _, other in ipairs(scene.commands or {}) do
    if other.name == "ln" or other.name == "mount" then
      for _, place in ipairs(other:files("write")) do
        if within(place.path, file.path) or other.name == "mount" then
          return true
        end
      end
    end
  end
  return false
end

-- The subcommands by which a line makes a repository, and a work tree.
local MAKES = { init = true, clone = true, worktree = true }

-- made returns the subcommand that has made the folder, or one that it is in, if nothing was there before.
local function made(list, folder, scene)
  for i, earlier in ipairs(list) do
    local g = earlier.cmd.name == "git" and earlier.cmd.git
    if g and MAKES[g.subcommand or ""] then
      local _, makes = earlier.cmd:git_folders()
      if makes and within(makes.path, folder.path) and (is_new(list, i, makes, scene) or g.subcommand ~= "init" and earlier.succeeded) then
        return g.subcommand
      end
    end
  end
end

-- repository reports whether the repository that a git command works on is one that the line has made, or lies among
-- temporary files. trees: its work tree is enough, as nothing else of the repository is touched.
function kept.repository(cmd, scene, trees)
  local g = cmd.git
  if not g or cmd.remote or g.elsewhere or scene.lost then
    return false
  end
  local works = cmd:git_folders()
  if not works then
    return false
  end
  local list = before(cmd, scene)
  if not arrives(cmd, list, scene) then
    return false
  elseif temporary(works, scene) and not is_linked(works, scene) then
    return trees or works.dynamic or not host.worktree(works.path)
  end
  local by = made(list, works, scene)
  return by and (trees or by ~= "worktree") or false
end

-- has_run reports whether the line has run a subcommand of git with operands before, or pull, which merges.
function kept.has_run(cmd, scene, subcommand)
  for _, earlier in ipairs(scene.commands and #scene.commands <= MANY and cmd:before() or {}) do
    local g = earlier.cmd.name == "git" and earlier.cmd.git
    if g and (g.subcommand == "pull" or g.subcommand == subcommand and #g.operands > 0) then
      return true
    end
  end
  return false
end

-- worktrees reports whether all work trees that a command removes were made by the line, or lie among temporary files.
function kept.worktrees(cmd, scene)
  local files = cmd:files("delete")
  local list = before(cmd, scene)
  if #files == 0 or cmd.git.elsewhere or not arrives(cmd, list, scene) then
    return false
  end
  for _, file in ipairs(files) do
    local disposable = made(list, file, scene) == "worktree" or temporary(file, scene) and (file.dynamic or host.worktree(file.path))
    if not disposable then
      return false
    end
  end
  return true
end

-- The places of names and patterns that git is given, absolute, or nil for all of the work tree.
local function scope(names, works)
  if #names == 0 then
    return nil
  end
  local list = {}
  for i, name in ipairs(names) do
    if name:sub(1, 1) == ":" or name:find("$", 1, true) or name:find("`", 1, true) then
      return nil
    elseif name:find("[*?%[]") then
      name = "."
    end
    list[i] = path.clean(path.is_abs(name) and name or path.join(works.path, name))
  end
  return list
end

kept.scope = scope

-- loss describes what a command throws away: level is "index" for changes that aren't staged, "head" for those and
-- staged ones, "untracked", "ignored" or "other"; paths as scope has them.
local function loss(cmd, works)
  local g = cmd.git
  local subcommand, names, level = g.subcommand, g.paths, "other"
  if subcommand == "reset" or subcommand == "switch" or subcommand == "read-tree" or subcommand == "rm" then
    level = "head"
  elseif subcommand == "checkout" then
    level = "index"
    if #names == 0 and not g.discards_changes then
      names = g.operands -- a name that looks like a file's
    elseif #names == 0 or #g.operands > 0 or cmd:flag("-f", "--force") then
      level = "head"
    end
  elseif subcommand == "checkout-index" then
    level = "index"
  elseif subcommand == "restore" then
    level = cmd:flag("-S", "--staged", "-s", "--source") and "head" or "index"
  elseif subcommand == "clean" then
    level = cmd:flag("-x", "-X") and "ignored" or "untracked"
  end
  return { level = level, paths = scope(names, works) }
end

-- The levels of loss that a saved level makes up for.
local COVERS = {
  index = { index = true },
  head = { index = true, head = true },
  untracked = { index = true, head = true, untracked = true },
  ignored = { index = true, head = true, untracked = true, ignored = true },
}

local function covers(saved, lost)
  if not COVERS[saved.level][lost.level] then
    return false
  elseif not saved.paths then
    return true
  elseif not lost.paths then
    return false -- files that nothing names
  end
  for _, target in ipairs(lost.paths) do
    local found = false
    for _, place in ipairs(saved.paths) do
      found = found or within(place, target)
    end
    if not found then
      return false
    end
  end
  return true
end

-- Options with which git diff still writes a whole patch.
local WHOLE = {}
for _, option in ipairs({ "-p", "-u", "--patch", "--binary", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv", "-a", "--text", "--minimal", "--patience",
  "--histogram", "--no-renames", "--no-prefix", "--src-prefix=a/", "--dst-prefix=b/", "--" }) do
  WHOLE[option] = true
end

local HEADS = { HEAD = true, ["@"] = true }

-- The file that a command's output goes to, as a file of the model; nil if it doesn't go into one, or into a pipe.
local function output(cmd)
  local redirect
  for _, r in ipairs(cmd.redirects) do
    if (r.op == ">" or r.op == ">|" or r.op == ">>") and (r.fd == nil or r.fd == 1) then
      redirect = r
    end
  end
  if not redirect then
    return nil
  end
  local files = cmd:files("write")
  local file = files[#files]
  if not file or file.glob or file.dynamic and not file.temporary or within("/dev", file.path) or within("/proc", file.path) then
    return nil
  end
  return file
end

-- patch describes what git diff saves in a file; nil if it saves nothing, or less than it seems.
local function patch(cmd, works)
  local g = cmd.git
  for _, word in ipairs(cmd.args) do
    if word:sub(1, 1) == "-" and not WHOLE[word] and not re.match(word, [[^(-U|--unified=)\d+$]]) then
      return nil
    end
  end
  local file = output(cmd)
  if not file then
    return nil
  end
  local names, level = { unpack(g.paths) }, "index"
  for i, word in ipairs(g.operands) do
    if HEADS[word] and i == 1 then
      level = "head"
    elseif word:find("..", 1, true) and word ~= ".." then
      return nil
    else
      names[#names + 1] = word
    end
  end
  return { level = level, paths = scope(names, works), files = { file } }
end

-- stash describes what git stash saves.
local function stash(cmd, works)
  local g = cmd.git
  local action = g.operands[1] or "push"
  if action ~= "push" and action ~= "save" or cmd:flag("-p", "--patch", "-S", "--staged", "--help", "-h") then
    return nil
  end
  local names = { unpack(g.paths) }
  for i = 2, action == "push" and #g.operands or 0 do
    names[#names + 1] = g.operands[i]
  end
  local level = cmd:flag("-a", "--all") and "ignored" or cmd:flag("-u", "--include-untracked") and "untracked" or "head"
  return { level = level, paths = scope(names, works) }
end

-- commit describes what git commit saves: all changes with -a, or if all were added before it.
local function commit(cmd, list, at)
  if cmd.git.dry_run or #cmd.git.paths > 0 or cmd:flag("-p", "--patch", "--interactive", "--help") then
    return nil
  end
  local level = cmd:flag("-a", "--all") and "head" or nil
  for i = 1, at - 1 do
    local g = list[i].cmd.name == "git" and list[i].cmd.git
    if g and g.subcommand == "add" and not g.dry_run then
      local all = list[i].cmd:flag("-A", "--all")
      for _, name in ipairs(g.paths) do
        all = all or name == "." or name == ":/"
      end
      if all then
        level = "untracked"
      elseif list[i].cmd:flag("-u", "--update") and #g.paths == 0 then
        level = level or "head"
      end
    end
  end
  return level and { level = level }
end

-- copy describes what cp and mv save elsewhere.
local function copy(cmd, succeeded)
  if cmd:flag("--help", "--version") then
    return nil
  end
  local sources, targets = cmd:files(cmd.name == "mv" and "delete" or "read"), {}
  for _, file in ipairs(cmd:files("write")) do
    targets[#targets + 1] = not file.redirected and file or nil
  end
  local whole = cmd.name == "mv" or cmd:flag("-r", "-R", "-a", "--recursive", "--archive")
  local places, names = {}, {}
  for _, file in ipairs(sources) do
    -- Without an option cp refuses folders.
    if not file.dynamic and not file.glob and not file.redirected and (whole or succeeded or re.match(path.base(file.path), [[\.|^[A-Z]+]])) then
      places[#places + 1] = file.path
      names[path.base(file.path)] = true
    end
  end
  local target = targets[1]
  if #places == 0 or not target or target.glob or target.dynamic and not target.temporary or within("/dev", target.path) then
    return nil
  end
  for _, place in ipairs(places) do
    if within(place, target.path) then
      return nil -- it would go with the rest
    end
  end
  return { level = whole and "ignored" or "head", paths = places, files = targets, names = names, copies = true }
end

local function describe(list, at, works)
  local earlier = list[at]
  local cmd = earlier.cmd
  if cmd.name == "cp" or cmd.name == "mv" then
    return copy(cmd, earlier.succeeded)
  elseif cmd.name ~= "git" or not cmd.git or cmd.git.elsewhere or cmd.pipe then
    return nil
  end
  local there = cmd:git_folders()
  if not there or there.path ~= works.path then
    return nil
  end
  local subcommand = cmd.git.subcommand
  if subcommand == "diff" then
    return patch(cmd, there)
  elseif not earlier.succeeded then
    return nil
  elseif subcommand == "stash" then
    return stash(cmd, there)
  elseif subcommand == "commit" then
    return commit(cmd, list, at)
  end
end

-- Whether a command puts back what was saved at a path.
local function puts_back(cmd, saved)
  local reads = cmd.name == "cp" or cmd.name == "mv" and "delete" or cmd.name == "patch" or cmd.name == "git" and cmd.git and cmd.git.subcommand == "apply"
  if not reads or cmd.name ~= "cp" and cmd:flag("-R", "--reverse", "--check", "--dry-run", "--stat") then
    return false
  end
  for _, word in ipairs(cmd.args) do
    if path.base(word) == path.base(saved) then
      return true
    end
  end
  for _, file in ipairs(cmd:files()) do
    if file.path == saved then
      return true
    end
  end
  return false
end

-- The path that a command takes away of what was saved at a target: the target, or what it has under one of the names.
local function destroyed(cmd, target, names)
  for _, file in ipairs(cmd:files("write", "delete")) do
    local place = file.path
    if file.glob then
      place = place:match("^(.-)/?[^/]*[*?%[]") or place
    end
    if file.access == "delete" and within(place, target) or file.access == "write" and file.path == target and cmd.name ~= "git" then
      return target
    elseif file.access == "delete" and within(target, place) and names and names[path.base(place)] then
      return place
    end
  end
end

local GONE = { drop = true, clear = true }
local TAKEN = { drop = true, clear = true, pop = true, apply = true, branch = true }

-- stays reports whether what a command has saved is still there where another one throws it away, and afterwards.
local function stays(saver, saved, cmd, scene)
  local seen, passed = false, false
  for _, other in ipairs(scene.commands) do
    if other == saver then
      seen = true
    elseif other == cmd then
      passed = true
    elseif seen and other.name == "git" and not saved.files then
      local g = other.git
      local action = g and g.subcommand == "stash" and g.operands[1] or ""
      if passed and GONE[action] or not passed and TAKEN[action] then
        return false
      end
    elseif seen then
      for _, file in ipairs(saved.files or {}) do
        local gone = destroyed(other, file.path, saved.names)
        if gone then
          if not passed then
            return false
          end
          local back = puts_back(other, gone)
          for _, earlier in ipairs(back and {} or other:before()) do
            back = back or earlier.cmd ~= saver and puts_back(earlier.cmd, gone)
          end
          if not back then
            return false
          end
        end
      end
    end
  end
  return seen
end

-- lies_in_temp reports whether a command that isn't git runs among temporary files.
function kept.lies_in_temp(cmd, scene)
  return cmd.dir and not cmd.remote and not scene.lost and arrives(cmd, before(cmd, scene), scene) and temporary({ path = cmd.dir, dynamic = false, glob = false }, scene)
end

-- saved reports whether the line has saved what a command throws away; lost describes that, as loss does, if it
-- isn't said by the arguments of a git command.
function kept.saved(cmd, scene, lost)
  if not scene.commands or #scene.commands < 2 or cmd.remote or scene.lost or cmd.git and cmd.git.elsewhere then
    return false
  end
  local works = cmd:git_folders()
  if not works then
    if not cmd.dir then
      return false
    end
    works = { path = cmd.dir }
  end
  lost = lost or loss(cmd, works)
  if not lost.paths and works.path == scene.cwd then
    lost.paths = { works.path, whole = true } -- taken for the top of the repository
  end
  local list = before(cmd, scene)
  for i = 1, #list do
    local saved = describe(list, i, works)
    if saved and covers(saved, lost) then
      local apart = true
      for _, file in ipairs(saved.files or {}) do
        for _, place in ipairs(saved.copies and lost.paths or {}) do
          apart = apart and not within(place, file.path) -- it would be replaced as well
        end
        -- A file of the project that was there before may be tracked, and be replaced itself.
        apart = apart and (saved.copies or not within(works.path, file.path) or not host.exists(file.path))
      end
      if apart and stays(list[i].cmd, saved, cmd, scene) then
        return true
      end
    end
  end
  return false
end

-- Branches that others work from, or that a repository is built around.
local SHARED = patterns.later([[^(main|master|trunk|develop|development|dev|staging|production|prod|release(/.*)?|gh-pages)$]])

function kept.is_shared(branch)
  return SHARED:match(branch)
end

-- Whether the line has made a branch or tag, or has put its commits elsewhere.
local function has_elsewhere(list, name)
  for _, earlier in ipairs(list) do
    local cmd = earlier.cmd
    local g = cmd.name == "git" and cmd.git
    if g and not g.elsewhere then
      local subcommand, first = g.subcommand, g.operands[1]
      local flags = subcommand == "switch" and { "-c", "--create" } or (subcommand == "checkout" or subcommand == "worktree") and { "-b" } or nil
      if flags and cmd:flag(unpack(flags)) == name then
        return true
      elseif (subcommand == "branch" or subcommand == "tag") and first == name and not g.force and not g.deletes_refs and not cmd:flag("-l", "--list") then
        return true
      elseif subcommand == "merge" and earlier.succeeded then
        for _, operand in ipairs(g.operands) do
          if operand == name and not cmd:flag("--abort", "--squash", "-n", "--no-commit") then
            return true
          end
        end
      elseif subcommand == "push" or subcommand == "fetch" then
        for _, refspec in ipairs(g.dry_run and {} or g.refspecs) do
          local ours = subcommand == "push" and refspec.source or refspec.target
          if ours:gsub("^refs/heads/", "") == name and not refspec.delete and (subcommand == "fetch" and not refspec.force or earlier.succeeded) then
            return true
          end
        end
      end
    end
  end
  return false
end

-- Whether a word is only known when the command runs.
local function is_known(cmd, name)
  for _, word in ipairs(cmd.words) do
    if word.text == name and (word.dynamic or word.glob) then
      return false
    end
  end
  return true
end

-- refs reports whether all names of branches or tags that a command drops are of no more use: the line has made them, or
-- has their commits elsewhere; or git has, for branches that people don't share.
function kept.refs(cmd, scene, names, branches)
  if #names == 0 or cmd.remote or cmd.git.elsewhere or scene.lost then
    return false
  end
  local works, list = cmd:git_folders(), before(cmd, scene)
  for _, name in ipairs(names) do
    local has = has_elsewhere(list, name)
    if not has and branches and works and not works.dynamic and path.is_abs(works.path) and not SHARED:match(name) and is_known(cmd, name) and arrives(cmd, list, scene) then
      local state = host.git_branch(works.path, name)
      has = state == "kept" or state == "none"
    end
    if not has then
      return false
    end
  end
  return true
end

return kept
