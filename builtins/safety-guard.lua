-- safety-guard: refuses shell commands that destroy work beyond repair.
--
-- It reads what a command line would run, not what its text looks like: a
-- commit message that mentions `rm -rf /` is left alone, and
-- `find . -exec rm -rf {} +` is not.

local with = ...

for option, value in pairs(with) do
  if option ~= "level" then
    error(("safety-guard has no option %q; it has: level"):format(option), 0)
  elseif value ~= "standard" then
    error(("safety-guard has no level %q; it has: standard"):format(tostring(value)), 0)
  end
end

local function is_temp(target)
  return re.match(path.clean(target), [[^((/private)?(/tmp|/var/tmp|/var/folders)|\$TMPDIR|\$\{TMPDIR\})/.]])
end

-- The folder that a command starts in: the call may name its own. The second value
-- is true where nobody knows which one counts.
local FOLDER_KEYS = { "workdir", "cwd", "working_directory", "working_dir", "dir" }

local function starting_folder(input, cwd)
  local named
  for _, key in ipairs(FOLDER_KEYS) do
    local folder = input[key]
    if type(folder) == "string" and folder ~= "" then
      if named and named ~= folder then
        return nil, true
      end
      named = folder
    end
  end
  if not named or path.is_abs(named) then
    return named or cwd
  elseif named:sub(1, 1) == "~" or path.clean(named):sub(1, 2) == ".." and not cwd then
    return nil, true
  end
  return cwd and path.join(cwd, named)
end

-- Strictly inside the folder that the agent works in, and neither its history nor
-- everything in it. A relative target starts at that folder.
local function is_inside(target, cwd)
  local clean = path.clean(target)
  if cwd == "/" or target:sub(1, 1) == "~" then
    return false -- at the root the whole machine is inside
  elseif path.is_abs(clean) then
    if not cwd or not path.inside(cwd, clean) then
      return false
    end
    clean = path.rel(cwd, clean)
  end
  local first = re.captures(clean, "^[^/]*")[0]
  return first ~= "." and first ~= ".." and first:lower() ~= ".git"
    and not re.match(first, [=[^(\.g?i?t?)?[*?\[]]=])
end

-- Why what rm -r is given must not be deleted, or nil. The target is the path that the
-- word stands for.
local function refuse_target(word, target, lost, cwd)
  if word.dynamic or lost then
    if is_temp(target) and not text.contains(target, "..") then
      return
    elseif word.dynamic then
      return ("rm -r of %s, which can't be known before it runs: write the path out"):format(word.text)
    end
    return ("rm -r of %s after a cd that can't be known before it runs: write the whole path out"):format(word.text)
  elseif not is_temp(target) and not is_inside(target, cwd) then
    return ("rm -r of %s: delete only what lies inside the working folder, by its name, or ask the user to do it"):format(word.text)
  end
end

-- rm -r and rm -rf, of anything but what lies inside the working folder or a
-- folder for temporary files.
local function check_rm(cmd, lost, cwd)
  if cmd.remote or not cmd:flag("-r", "-R", "--recursive") then
    return
  end
  local is_operand = {}
  for _, operand in ipairs(cmd:operands()) do
    is_operand[operand] = true
  end
  local targets, n = cmd:paths("delete"), 0
  for _, word in ipairs(cmd.words) do
    if is_operand[word.text] then
      n = n + 1
      local relative = not path.is_abs(word.text) and not word.home
      local reason = refuse_target(word, targets[n] or word.text, relative and (lost or not cmd.dir), cwd)
      if reason then
        return reason
      end
    end
  end
end

-- A command whose name can't be known and that has the looks of rm -rf.
local function check_unknown(cmd)
  local recursive = re.match(cmd.path, [[\$\{?IFS\b]]) -- it hides blanks, and so the flags
  local force = recursive
  for _, argument in ipairs(cmd.args) do
    local letters = re.match(argument, "^-[dfiIPrRvWx]+$") and argument or ""
    recursive = recursive or argument == "--recursive" or letters:lower():find("r", 1, true)
    force = force or argument == "--force" or letters:find("f", 1, true)
  end
  if recursive and force then
    return "this may be an rm -rf, and which command it is can't be known before it runs: write the command out"
  end
end

local function check_git(git)
  if git.subcommand == "push" and git.force and not git.dry_run then
    return ("git %s forces it, over what others have pushed: use git push --force-with-lease"):format(git.because)
  elseif git.subcommand == "reset" and git.discards_changes then
    return "git reset --hard throws away every change that is not committed: put them aside with git stash, or use git reset --keep"
  end
end

-- What a DROP takes data away with.
local KEEPS_DATA = { FUNCTION = true, PROCEDURE = true, TRIGGER = true, EXTENSION = true, POLICY = true, RULE = true, CONSTRAINT = true }

local function destroys(statement)
  local verb, action = statement.verb, statement.action or ""
  if statement.explain or statement.stored or action == "TEMPORARY" then
    return false
  elseif verb == "DROP" then
    return not KEEPS_DATA[statement.object]
  elseif verb == "ALTER" then
    return text.contains(action, "DROP COLUMN") or text.contains(action, "DROP PARTITION")
  end
  return verb == "TRUNCATE" or verb == "DELETE" and (not statement.has_where or statement.where_always)
end

-- SQL that a client is given in any way, and that stands where a command should.
local function check_sql(cmd)
  for _, statement in ipairs(sql.find(cmd)) do
    if destroys(statement) then
      return ("SQL %s destroys data for good: take a backup and ask the user to run it, or narrow it to a DELETE with a WHERE"):format(
        statement.verb)
    end
  end
end

-- Trust is the user's word, which an agent must not give itself.
local function check_luahook(cmd)
  if cmd:operands()[1] == "trust" and not cmd:flag("--list") then
    return "luahook trust is for the user to run: it lets a project's hooks do more"
  end
end

local function check(line, cwd, lost)
  for _, cmd in ipairs(line.commands) do
    local reason
    if cmd.name_dynamic and not cmd.remote then
      reason = check_unknown(cmd)
    elseif cmd.name == "rm" then
      reason = check_rm(cmd, lost, cwd)
    elseif cmd.git then
      reason = check_git(cmd.git)
    elseif cmd.name == "luahook" then
      reason = check_luahook(cmd)
    end
    reason = reason or check_sql(cmd)
    if reason then
      return reason
    end
  end
end

local function guard(ev)
  local command = ev.tool_call.command
  if not command or command == "" then
    if next(ev.tool_call.input) or (ev.metadata and ev.metadata.tool_call) then
      return ask("this shell call keeps its command where safety-guard can't find it")
    end
    return
  end
  local cwd = ev.cwd and ev.cwd ~= "" and path.clean(ev.cwd) or nil
  local start, lost = starting_folder(ev.tool_call.input, cwd)
  local line = shell.parse(command, { cwd = start and path.is_abs(start) and start or nil })
  local reason = check(line, cwd or start, lost)
  if reason then
    return deny(reason)
  elseif line.too_complex then
    return ask("this command is too long or too deeply nested to be understood; split it up")
  elseif line.error then
    return ask("this command can't be understood as shell (" .. line.error .. "); quote it so that bash would take it")
  end
end

on("pre_tool_call", { name = "safety-guard", match = { kind = "shell" } }, guard)
on("permission_request", { name = "safety-guard", match = { kind = "shell" } }, guard)
