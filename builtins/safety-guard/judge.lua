-- Applies the rules to a call. The result is {rule, detail, decision}: the first denial, else the first
-- question. A finding of class self, which nothing lifts, comes before the rest, or accompanies a denial that
-- may be lifted.

local allowed = require("later")("allowed")
local cells = require("later")("cells")
local folders = require("folders")
local names = require("names")
local readers = require("readers")
local scenes = require("scene")
local sqlline = require("sqlline")

local judge = {}

local NONE = {}

-- What a cmdlet, or a command of cmd.exe, does is a command behind it: who allows the one means the other.
local PARTS_OF_CMD = { del = true, erase = true, rd = true, rmdir = true, move = true, copy = true, ren = true }

local function stands_for(cmd)
  local parent = cmd.parent
  local name = parent and parent.name
  return name and cmd.via[#cmd.via] == name and (PARTS_OF_CMD[name] or name:find("^%u%l+%-%u")) and parent or nil
end

-- A run is one application of the book to a call:
--   denied, asked  the findings so far; own has the same for class self
--   exempt         the user allows the command
--   elsewhere      it runs on another machine, and the pack remote is off, or in a container on its own files
local function new_run(book, scene)
  return { book = book, scene = scene, own = {} }
end

local function try(run, rules, subject)
  local exempt, elsewhere = run.exempt, run.elsewhere
  for i = 1, #rules do
    local rule = rules[i]
    local found = rule.own and run.own or run
    if not found.denied and not (rule.asks and found.asked) and not (exempt and not rule.own) and not (elsewhere and not rule.remote) then
      local detail = rule.test(subject, run.scene)
      if detail then
        found[rule.decision == "deny" and "denied" or "asked"] = { rule = rule, detail = detail, decision = rule.decision }
      end
    end
  end
end

-- asked reports whether rules of a part are asked at all; those that aren't needn't be read.
local function asked(run, part)
  return part.own or not run.denied and not run.exempt
end

-- ask applies the rules that a tag finds.
local function ask(run, tag, subject)
  local parts = run.book:parts(tag)
  for i = 1, #parts do
    local part = parts[i]
    if asked(run, part) then
      try(run, part.rules or run.book:rules(part), subject)
    end
  end
end

-- weighed returns the decisive finding of a run.
local function weighed(run)
  local own = run.own
  if run.denied and not own.denied then
    run.denied.beside = own.asked
    return run.denied
  end
  return own.denied or own.asked or run.asked
end

-- Rules on files have gates, some of them shared: most files pass none.
local function judge_by(run, tag, file)
  local parts = run.book:parts(tag)
  for i = 1, #parts do
    local part = parts[i]
    local groups = asked(run, part) and (part.groups or run.book:groups(part)) or NONE
    for j = 1, #groups do
      local group = groups[j]
      if not group.gate or group.gate(file, run.scene) then
        try(run, group.rules, file)
      end
    end
  end
end

-- Whether a file may be a device, or a door to the kernel.
local function is_device(file)
  local name = file.path
  return file.dynamic or name:find("^/dev/") and name ~= "/dev/null" or name:find("^/proc/") or name:find("^/sys/") or name:find("PhysicalDrive", 1, true)
end

local function judge_as_named(run, file)
  if file.access == "read" then
    return judge_by(run, "on:reading", file)
  end
  if is_device(file) then
    judge_by(run, "on:device", file)
  end
  if not rawget(file, "cmd") then
    judge_by(run, "on:tool", file)
  elseif file.access == "write" then
    if file.redirected then
      judge_by(run, "on:redirected", file)
    end
    judge_by(run, "on:written", file)
  end
  judge_by(run, "on:file", file)
end

-- Judges a file, and what it is once the links in the project are followed.
local function judge_file(run, file)
  judge_as_named(run, file)
  local real = file.access ~= "read" and not file.dynamic and run.scene:leads_to(file.path, file.access == "write")
  if real then
    judge_as_named(run, {
      path = real, access = file.access, dynamic = false, glob = file.glob, home = false, cmd = rawget(file, "cmd"), redirected = file.redirected,
      text = rawget(file, "text"), of_files = rawget(file, "of_files"), moved = rawget(file, "moved"),
    })
  end
end

-- The redirections of a command that the user allows aren't a part of it.
local function judge_redirected(run, file)
  local exempt = run.exempt
  run.exempt = nil
  judge_file(run, file)
  run.exempt = exempt
end

local function judge_files(run, cmd)
  local files = run.book.reading and cmd:files() or cmd:files("write", "delete")
  for i = 1, #files do
    local file = files[i]
    rawset(file, "cmd", cmd)
    if run.exempt and file.redirected then
      judge_redirected(run, file)
    else
      judge_file(run, file)
    end
  end
end

-- A database is always elsewhere: statements run by another machine are judged, too.
local function judge_statements(run, statements, cmd)
  if #statements == 0 or cmd and sqlline.goes_on(run.commands, cmd) then
    return
  end
  local elsewhere = run.elsewhere
  run.elsewhere = false
  for _, statement in ipairs(statements) do
    rawset(statement, "cmd", cmd)
    rawset(statement, "others", statements)
    ask(run, "on:statement", statement)
  end
  run.elsewhere = elsewhere
end

local judge_command
local handed, stored -- loaded when they are needed

-- Sets hands_on for a command handed to an unknown program that would be denied: the id of the rule that denies
-- it.
local function judge_handed(run, cmd)
  if not run.commands or not readers.may_run(cmd, cmd.name, cmd.path) then
    return
  end
  handed = handed or require("handed")
  local commands = handed.commands(cmd, run.scene)
  if not commands or readers.runs_another(run.commands, cmd) then
    return
  end
  local inner = new_run(run.book, run.scene)
  for _, inside in ipairs(commands) do
    judge_command(inner, inside)
    local denied = inner.own.denied or inner.denied
    if denied then
      rawset(cmd, "hands_on", denied.rule.id)
      return ask(run, "needs:hands_on", cmd)
    end
  end
end

-- Sets stores for a git config that keeps a program which would be denied: the id of the rule that denies it. What an alias does
-- with git is judged when it is used.
local function judge_stored(run, cmd)
  stored = stored or require("stored")
  local commands, alias = stored.commands(cmd, run.scene)
  local inner = new_run(run.book, run.scene)
  for _, inside in ipairs(commands or {}) do
    judge_command(inner, inside)
    local denied = inner.own.denied or inner.denied
    if denied and not (alias and denied.rule.class == "git") then
      rawset(cmd, "stores", denied.rule.id)
      return ask(run, "needs:stores", cmd)
    end
    inner.denied = nil
  end
end

-- Judges what an alias in git's configuration stands for, if the subcommand is one.
local function judge_alias(run, cmd)
  if run.aliases then
    return -- an alias may stand for another one, but that isn't followed for ever
  end
  stored = stored or require("stored")
  local commands = stored.alias(cmd, run.scene)
  run.aliases = true
  for _, inside in ipairs(commands or {}) do
    judge_command(run, inside)
  end
  run.aliases = nil
end

-- The tags of a command that say what else there is to judge; the others find rules.
local MORE = {
  ["do:stored"] = judge_stored,
  ["do:alias"] = judge_alias,
  ["do:handed"] = judge_handed,
  ["do:files"] = judge_files,
  ["do:statements"] = function(run, cmd)
    judge_statements(run, sql.find(cmd), cmd)
  end,
}

-- judge_command judges one command by its tags: those of a list from one place to another, if they are known.
function judge_command(run, cmd, tags, first, last)
  local book = run.book
  if cmd.context == "function" and not book.settings.strict then
    return -- a function that the line never calls
  end
  if book.allows then
    local original = names.original(cmd)
    run.exempt = allowed.has(book.settings.allow, original, run.scene) or stands_for(original) ~= nil and allowed.has(book.settings.allow, original.parent, run.scene)
  end
  run.elsewhere = cmd.remote and not book.remote and not cmd.mounted or nil
  if not tags then
    tags = book.index:tags(cmd)
    first, last = 1, #tags
  end
  for i = first, last do
    local tag = tags[i]
    local more = MORE[tag]
    if more then
      more(run, cmd)
    else
      ask(run, tag, cmd)
    end
  end
end

-- Judges the commands of a line, in their order.
local function judge_commands(run, commands)
  run.commands, run.scene.commands = commands, commands
  for i = 1, #commands do
    judge_command(run, commands[i])
    if run.own.denied then
      return
    end
  end
end

-- The same where it's known what there is to do: commands, each with the number of its tags and these.
local function judge_indexed(run, commands, todo)
  run.commands, run.scene.commands = commands, commands
  local i = 1
  while todo[i] and not run.own.denied do
    local last = i + 1 + todo[i + 1]
    judge_command(run, todo[i], todo, i + 2, last)
    i = last + 1
  end
end

-- Judges a line that isn't a shell call's own.
local function judge_line(run, source)
  local scene = run.scene
  local line = shell.parse(source, { cwd = scene.start, home = scene.home or nil, names = names.all() })
  judge_commands(run, line.commands)
  if (line.error or line.too_complex) and not run.own.denied then
    ask(run, "on:line", { error = line.error, too_complex = line.too_complex })
  end
end

-- Judges a program as if an interpreter was given it on a command line, and what a notebook's cell runs besides.
local function judge_program(run, interpreter, source)
  if interpreter == "sh" then
    return judge_line(run, source)
  end
  for _, line in ipairs(cells.lines(interpreter, source)) do
    judge_line(run, line)
    if run.own.denied then
      return
    end
  end
end

-- line judges the command line of a shell call: commands, with what there is to do (see shellcall.lua) or nil, the
-- error of a line that can't be read, and whether it is too complex.
function judge.line(book, scene, command, commands, todo, failure, too_complex)
  local run = new_run(book, scene)
  if todo then
    judge_indexed(run, commands, todo)
  else
    judge_commands(run, commands)
  end
  if run.own.denied then
    return run.own.denied
  end
  run.exempt, run.elsewhere = nil, nil
  local statements = failure and #commands == 0 and sqlline.statements(command)
  if statements then
    judge_statements(run, statements, false)
  elseif failure or too_complex then
    ask(run, "on:line", { error = failure, too_complex = too_complex })
  end
  return weighed(run)
end

-- A call that changes a file, which can't be found in it.
local MISSING = {
  decision = "ask",
  rule = {
    id = "unknown.file", class = "unknown",
    reason = "This call changes a file, and keeps its name where the guard can't find it.", advice = "Use the field that the tool has for it.",
  },
}

-- A process's link to the root.
local ROOT = patterns.later([[^(?:/proc/(?:self|thread-self|\d+)/root)+(?:/|$)]])

-- tool judges a call of a tool that isn't a shell: what it does to the files that it names, the SQL in its
-- input if it is a database's, and the programs in it if it runs some. Does is what tools.lua returns for the call.
function judge.tool(book, call, ev, does)
  local scene = scenes.new(book.settings, folders.of(ev))
  local run = new_run(book, scene)
  for _, name in ipairs(call.paths) do
    local relative = not path.is_abs(name) and name:sub(1, 1) ~= "~"
    local full = relative and scene.cwd and path.join(scene.cwd, name) or name
    if full:sub(1, 2) == "~/" and scene.home then
      full = path.join(scene.home, full:sub(3))
    end
    full = ROOT:replace(path.clean(full), "/")
    local moved = does.moved and does.moved[name] or false
    judge_file(run, {
      path = full, access = moved and "delete" or does.access, dynamic = false, glob = false, home = false,
      text = does.written, of_files = does.files, moved = moved,
    })
  end
  if does.database then
    local statements = sql.find(call)
    judge_statements(run, statements, false)
    for _, statement in ipairs(statements) do
      if statement.dynamic and not statement.verb then -- more than is read
        ask(run, "on:line", { too_complex = true })
        break
      end
    end
  end
  for _, program in ipairs(does.programs or NONE) do
    judge_program(run, program.interpreter, program.source)
  end
  if does.line then
    judge_line(run, does.line)
  end
  if does.deed then
    ask(run, "on:call", does.deed)
  end
  return weighed(run) or (call.kind == "write" or call.kind == "edit") and does.access ~= "read" and not call.paths[1] and MISSING or nil
end

return judge
