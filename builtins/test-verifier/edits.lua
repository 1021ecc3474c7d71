-- The files that a tool call has edited, as far as its input says.

local edits = {}

-- How many files of one call are examined.
local MOST = 200

-- The names of server tools that write files.
local WRITING = patterns.later([[(?i)(^|[_-]|\b)(write|edit|create|update|delete|remove|move|rename|replace|insert|append|patch|apply|save)]])

-- The git subcommands that bring files into the working tree, and the options with which they don't.
local GIT_BRINGS = { am = true, apply = true, ["cherry-pick"] = true, merge = true, pull = true, rebase = true, revert = true, checkout = true, switch = true, restore = true, stash = true, reset = true, mv = true, rm = true }

local function git_brings(git, cmd)
  local verb = git.subcommand
  if not verb or not GIT_BRINGS[verb] then
    return false
  elseif verb == "checkout" or verb == "switch" then
    return not cmd:flag("-b", "-B", "-c", "-C", "--create", "--orphan")
  elseif verb == "restore" then
    return not cmd:flag("-S", "--staged") or cmd:flag("-W", "--worktree") ~= false
  elseif verb == "reset" then
    return cmd:flag("--hard", "--merge", "--keep") ~= false
  elseif verb == "stash" then
    local what = git.operands[1]
    return what ~= "list" and what ~= "show" and what ~= "drop" and what ~= "clear"
  end
  return true
end

-- Programs that affect folders, or no content.
local NO_CONTENT = { mkdir = true, rmdir = true, chmod = true, chown = true, ln = true }

-- slashes returns a path with slashes, and a drive in capitals.
function edits.slashes(file)
  return (file:gsub("\\", "/"):gsub("^%a:", string.upper))
end

-- Whether a file certainly isn't the project's, which may have several names.
local function foreign(file, cwd)
  for _, folder in ipairs(host.temp) do
    if path.inside(folder, file) and not path.inside(folder, cwd) then
      return true
    end
  end
  return host.home and file:sub(1, #host.home + 2) == host.home .. "/." or false
end

-- place returns the name of a file for messages and the store, relative to the project's root; nil if the file
-- is outside, or if its edits don't count.
function edits.place(file, ev, ignore)
  local root = host.root and edits.slashes(host.root)
  local cwd = ev.cwd and path.is_abs(ev.cwd) and path.clean(edits.slashes(ev.cwd)) or root
  file = edits.slashes(file)
  if not path.is_abs(file) and cwd then
    file = path.join(cwd, file)
  end
  file = path.clean(file)
  local name = file
  if root and path.inside(root, file) then
    name = path.rel(root, file)
  elseif root and path.inside(root, cwd) then
    return nil
  elseif cwd and path.inside(cwd, file) then
    -- a worktree beside the project, or the project by another name, for instance through a link
    name = path.rel(cwd, file)
  elseif cwd and path.is_abs(file) and foreign(file, cwd) then
    return nil
  end
  if name == ".git" or text.starts_with(name, ".git/") then
    return nil
  end
  for _, glob in ipairs(ignore) do
    if path.match(glob, name) then
      return nil
    end
  end
  return name
end

-- of_tool lists the files that a call of a tool other than a shell has edited.
function edits.of_tool(ev, ignore)
  local call = ev.tool_call
  local writes = call.kind == "write" or call.kind == "edit" or (call.kind == "mcp" or call.kind == "other") and WRITING:match(call.name or "")
  local names = {}
  if not writes then
    return names
  end
  for i, file in ipairs(call.paths) do
    if i > MOST then
      names[#names + 1] = "more files"
      break
    end
    names[#names + 1] = edits.place(file, ev, ignore)
  end
  if #call.paths == 0 and (call.kind == "write" or call.kind == "edit") then
    names[1] = "a file that isn't named"
  end
  return names
end

-- of_command lists the files that a shell command writes or deletes; the second value is true if git has brought
-- in others.
function edits.of_command(cmd, ev, ignore)
  local names = {}
  if cmd.remote or NO_CONTENT[cmd.name or ""] then
    return names, false
  end
  local files, unknown = cmd:files("write", "delete")
  for i, file in ipairs(files) do
    if i > MOST then
      names[#names + 1] = "more files"
      break
    elseif file.dynamic and not file.temporary then
      if file.under == "" or edits.place(file.under, ev, {}) then
        names[#names + 1] = text.truncate(file.path, 100)
      end
    elseif not file.temporary and not file.home and not file.path:find("^/dev/") then
      names[#names + 1] = edits.place(file.path, ev, ignore)
    end
  end
  if unknown and #names == 0 and #files == 0 then
    names[1] = "what " .. text.truncate(cmd.name or "a command", 40) .. " writes"
  end
  return names, cmd.git ~= nil and not cmd.git.dry_run and git_brings(cmd.git, cmd)
end

return edits
