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

-- Where a relative path leads after the cd commands of a line.
local HERE, TEMP, ELSEWHERE = "here", "temp", "elsewhere"

local function is_temp(target)
  local clean = path.clean(target)
  return re.match(clean, [[^(/private)?(/tmp|/var/tmp|/var/folders)/.]])
    or (re.match(clean, [[^(\$TMPDIR|\$\{TMPDIR\})/.]]) and not text.contains(clean, ".."))
end

-- Strictly inside the folder that the agent works in, and neither its history
-- nor everything in it.
local function is_inside(target, cwd)
  local clean = path.clean(target)
  if path.is_abs(clean) then
    if not cwd or cwd == "/" or clean == path.clean(cwd) or not path.inside(cwd, clean) then
      return false
    end
    clean = path.rel(cwd, clean)
  end
  local first = re.captures(clean, "^[^/]*")[0]
  return first ~= "." and first ~= ".." and first ~= ".git" and first:sub(1, 1) ~= "~"
    and not re.match(first, [=[^\.?[*?\[]]=]) and not text.contains(clean, "..")
end

local function where_cd_leads(cmd, from, cwd)
  local target = cmd:operands()[1]
  if not target or cmd.dynamic then
    return ELSEWHERE
  elseif is_temp(target .. "/.x") then
    return TEMP
  elseif path.is_abs(target) and cwd and path.inside(cwd, target) then
    return HERE
  elseif not path.is_abs(target) and from ~= ELSEWHERE and is_inside(target .. "/x", cwd) then
    return from
  end
  return ELSEWHERE
end

local function may_be_deleted(word, standing, cwd)
  if word.dynamic then
    return is_temp(word.text)
  elseif path.is_abs(word.text) or standing == HERE then
    return is_temp(word.text) or is_inside(word.text, cwd)
  end
  return standing == TEMP and not text.contains(word.text, "..") and word.text:sub(1, 1) ~= "~"
end

-- rm -r and rm -rf, of anything but what lies inside the working folder or a
-- folder for temporary files.
local function check_rm(cmd, standing, cwd)
  if not cmd:flag("-r", "-R", "--recursive") then
    return
  end
  local is_operand = {}
  for _, operand in ipairs(cmd:operands()) do
    is_operand[operand] = true
  end
  for _, word in ipairs(cmd.words) do
    if is_operand[word.text] and not may_be_deleted(word, standing, cwd) then
      if word.dynamic then
        return ("rm -r of %s, which can't be known before it runs: write the path out"):format(word.text)
      end
      return ("rm -r of %s: delete only what lies inside the working folder, by its name, or ask the user to do it"):format(word.text)
    end
  end
end

local function check_git(cmd)
  local verb = cmd:subcommand()
  if verb == "push" then
    if cmd:flag("-f", "--force") then
      return "git push --force overwrites what others have pushed: use git push --force-with-lease"
    end
    for _, operand in ipairs(cmd:operands()) do
      if operand:sub(1, 1) == "+" then
        return ("git push of %s forces it: leave the + out, or use git push --force-with-lease"):format(operand)
      end
    end
  elseif verb == "reset" and cmd:flag("--hard") then
    return "git reset --hard throws away every change that is not committed: use git stash first, or git reset --keep"
  end
end

local SQL_CLIENTS = {
  psql = true, mysql = true, mariadb = true, sqlite3 = true, duckdb = true, sqlcmd = true,
  ["clickhouse-client"] = true, cockroach = true, usql = true, bq = true,
}

local DESTROYS = re.compile(
  [[(?i)(?:^|;)\s*(?:(DROP)\s+(?:TABLE|DATABASE|SCHEMA|VIEW|INDEX|MATERIALIZED|USER|ROLE|COLUMN)\b|(TRUNCATE)\b|(DELETE)\s+FROM\b[^;]*)]])
local NO_STATEMENT = re.compile([[(?s)'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/]])
local WHERE = re.compile([[(?i)\bWHERE\b]])

-- The verb of the first statement that destroys data, or nil.
local function destroying_verb(sql)
  for _, statement in ipairs(text.split(NO_STATEMENT:replace(sql, " "), ";")) do
    local found, drop, truncate, delete = DESTROYS:find(statement)
    if found and not (delete ~= "" and delete ~= nil and WHERE:match(found)) then
      return (drop ~= "" and drop or truncate ~= "" and truncate or delete):upper()
    end
  end
end

local function sql_reason(verb)
  return ("SQL %s destroys data for good: take a backup and ask the user to run it, or narrow it to a DELETE with a WHERE"):format(verb)
end

-- SQL in the arguments and here-documents of a client, in what is piped into one,
-- and standing where a command should.
local function check_sql(cmd, piped_into_client)
  local texts = { cmd.path .. " " .. table.concat(cmd.args, " ") }
  if SQL_CLIENTS[cmd.name] or piped_into_client then
    for _, argument in ipairs(cmd.args) do
      texts[#texts + 1] = argument
      local value = argument:match("^%-%-?%a[%w-]*=(.*)$") or argument:match("^%-%a(.*)$")
      texts[#texts + 1] = value
    end
    for _, redirect in ipairs(cmd.redirects) do
      texts[#texts + 1] = redirect.body
      texts[#texts + 1] = redirect.op == "<<<" and redirect.target or nil
    end
  elseif cmd.name == "dropdb" then
    return sql_reason("DROP")
  end
  for _, sql in ipairs(texts) do
    local verb = destroying_verb(sql)
    if verb then
      return sql_reason(verb)
    end
  end
end

local function check(line, cwd)
  local standing, has_client = HERE, false
  for _, cmd in ipairs(line.commands) do
    has_client = has_client or SQL_CLIENTS[cmd.name]
  end
  for _, cmd in ipairs(line.commands) do
    local reason
    if cmd.name == "cd" or cmd.name == "pushd" then
      if cmd.context ~= "subshell" then
        standing = where_cd_leads(cmd, standing, cwd)
      end
    elseif cmd.name == "rm" then
      reason = check_rm(cmd, standing, cwd)
    elseif cmd.name == "git" then
      reason = check_git(cmd)
    end
    reason = reason or check_sql(cmd, has_client and cmd.context == "pipe")
    if reason then
      return reason
    end
  end
end

local function guard(ev)
  local command = ev.tool_call.command
  if not command then
    if next(ev.tool_call.input) then
      return ask("this shell call keeps its command where safety-guard can't find it")
    end
    return
  end
  local line = shell.parse(command)
  local reason = check(line, ev.cwd)
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
