-- How the rules are applied to a call. What is found is {rule, detail, decision}: the
-- first denial, else the first question.

local judge = {}

-- A shell's call whose command is nowhere to be found.
local MISSING = {
  decision = "ask",
  rule = {
    id = "unknown.command", class = "unknown",
    reason = "This shell call keeps its command where the guard can't find it.", advice = "Use the field that the shell tool has for it.",
  },
}

local function fits(pattern, words)
  for i, want in ipairs(pattern.args) do
    if want == "*" and i == #pattern.args then
      return true
    end
    local word = words[i]
    if not word or want ~= word and not path.match("/" .. want, "/" .. word) then
      return false
    end
  end
  return #words == #pattern.args
end

local function allowed(settings, cmd)
  for _, pattern in ipairs(settings.allow) do
    if pattern.name == cmd.name and fits(pattern, cmd.args) then
      return true
    end
  end
  return false
end

-- A run of the rules over one call.
local function try(run, rules, subject, exempt)
  if not rules then
    return
  end
  for _, rule in ipairs(rules) do
    if not run.denied and not (exempt and rule.class ~= "self") and not (rule.decision == "ask" and run.asked) then
      local detail = rule.test(subject, run.scene)
      if detail then
        local finding = { rule = rule, detail = detail, decision = rule.decision }
        if rule.decision == "deny" then
          run.denied = finding
          return
        end
        run.asked = finding
      end
    end
  end
end

local function local_only(rules)
  local list = {}
  for _, rule in ipairs(rules or {}) do
    if rule.remote then
      list[#list + 1] = rule
    end
  end
  return list
end

local function judge_files(run, cmd, exempt)
  local rules = run.book.file
  if not rules or #rules == 0 then
    return
  end
  for _, file in ipairs(cmd:files()) do
    if run.denied then
      return
    end
    rawset(file, "cmd", cmd)
    try(run, rules, file, exempt)
  end
end

local function judge_command(run, cmd)
  local book = run.book
  if cmd.context == "function" and not book.settings.strict then
    return -- a function that the line never calls
  end
  local exempt = #book.settings.allow > 0 and allowed(book.settings, cmd)
  local own = cmd.name and book.programs[cmd.name]
  local every = book.every
  if cmd.remote and not book.remote then
    own, every = local_only(own), local_only(every)
  end
  try(run, own, cmd, exempt)
  try(run, every, cmd, exempt)
  judge_files(run, cmd, exempt)
  if #book.statement > 0 then
    for _, statement in ipairs(sql.find(cmd)) do
      try(run, book.statement, statement, exempt)
    end
  end
end

-- shell judges a shell's call. The text of the line is read here, and here alone.
function judge.shell(book, scene, call, ev)
  local command = call.command
  if not command or command == "" then
    if next(call.input) or (ev.metadata and ev.metadata.tool_call) then
      return MISSING
    end
    return
  end
  local line = shell.parse(command, { cwd = scene.start, home = scene.home or nil })
  local run = { book = book, scene = scene }
  for _, cmd in ipairs(line.commands) do
    judge_command(run, cmd)
    if run.denied then
      return run.denied
    end
  end
  try(run, book.line, { commands = line.commands, error = line.error, too_complex = line.too_complex })
  return run.denied or run.asked
end

-- tool judges a call of a tool that isn't a shell: the files that it names, and the SQL
-- that it hands to a database.
function judge.tool(book, scene, call, access)
  local run = { book = book, scene = scene }
  for _, name in ipairs(call.paths) do
    local relative = not path.is_abs(name) and name:sub(1, 1) ~= "~"
    local file = {
      path = path.clean(relative and scene.cwd and path.join(scene.cwd, name) or name),
      access = access, dynamic = false, glob = false, home = false,
    }
    if file.path:sub(1, 2) == "~/" and scene.home then
      file.path = path.join(scene.home, file.path:sub(3))
    end
    try(run, book.file, file)
  end
  if not run.denied and #book.statement > 0 then
    for _, statement in ipairs(sql.find(call)) do
      try(run, book.statement, statement)
    end
  end
  return run.denied or run.asked
end

return judge
