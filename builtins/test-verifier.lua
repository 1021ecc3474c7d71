-- test-verifier: an issue is closed only if its tests have passed since the last edit.
--
-- The hook notes which files the tools of a session edit (edits.lua) and which of the configured commands they
-- run (command.lua) in a ledger (ledger.lua), whether or not those events are in hooks.yaml. On pre_close, stop
-- and task_completed it checks whether each command has passed since the last edit, and denies with the commands
-- to run.

local settings = require("settings").read(require("options"), (...))
local command = require("command")
local edits = require("edits")
local ledger = require("ledger")
local outcome = require("outcome")

local flags = command.flags(settings.flags)
local commands = {}
for i, entry in ipairs(settings.command) do
  commands[i] = command.read(entry)
  if settings.run and not commands[i].plain then
    error(("test-verifier: run: %q needs a shell; give a plain command without cd and redirections, such as a script that does it"):format(entry), 0)
  end
end

-- How many names a reason has, and how many bytes of a command's text.
local NAMED, SHOWN = 8, 200

local function one_line(s, most)
  return text.truncate(text.trim((s:gsub("[%c%s]+", " "))), most)
end

-- How many commands of a line are examined; the ones after them count as edits.
local LOOKED_AT = 300

-- The most names of files that one line has.
local KEPT = 200

-- The identity of a call, from its beginning to its end.
local function call_key(ev)
  local call = ev.tool_call
  return call.id or (call.command or "") .. "\0" .. (ev.agent_id or "")
end

local function parse(ev)
  local cwd = ev.cwd and path.is_abs(ev.cwd) and ev.cwd or host.root or nil
  return shell.parse(ev.tool_call.command, { cwd = cwd, home = host.home or nil })
end

-- The tool keeps running after the call.
local BACKGROUND = { "run_in_background", "background", "is_background", "isBackground", "detached" }

local function in_background(input)
  for _, key in ipairs(BACKGROUND) do
    if input[key] == true then
      return true
    end
  end
  return false
end

-- Whether a line has a configured command, so that its beginning matters.
local function runs_tests(ev)
  for i, cmd in ipairs(parse(ev).commands) do
    if i > LOOKED_AT then
      return false
    end
    for _, wanted in ipairs(commands) do
      if wanted:judge(cmd, ev, flags) == "counts" then
        return true
      end
    end
  end
  return false
end

-- The result of a run that would count.
local function ending(ev)
  if in_background(ev.tool_call.input) then
    return "background"
  end
  local ended = outcome.of(ev)
  return ended == "ok" and "passed" or ended
end

-- A call's command as a reason shows it.
local function shown(ev)
  return one_line(redact.text(text.truncate(ev.tool_call.command, 4000)), SHOWN)
end

-- seen_in lists what a shell's line has edited and run; see ledger:note.
local function seen_in(ev)
  local seen = { before = {}, after = {}, runs = {}, shell = true }
  local line = parse(ev)
  local pipe -- of the latest run: its output to a file isn't an edit
  local last -- the latest run itself
  for i, cmd in ipairs(line.commands) do
    if i > LOOKED_AT then
      break
    end
    local is_run = false
    for _, wanted in ipairs(commands) do
      local how = wanted:judge(cmd, ev, flags)
      if how then
        local before = seen.runs[wanted.key]
        if how == "counts" and (line.error or line.too_complex) then
          how = "hidden"
        end
        if how == "counts" or not (before and before.counts) then
          seen.runs[wanted.key] = { why = how == "counts" and ending(ev) or how, as = shown(ev), counts = how == "counts" }
        end
        is_run = is_run or how ~= "other"
      end
    end
    if is_run then
      pipe, last = cmd.pipe, cmd
    elseif not (pipe and cmd.pipe == pipe) and not (last and cmd.parent == last) then
      local names, brought = edits.of_command(cmd, ev, settings.ignore)
      local where = last and "after" or "before"
      for _, name in ipairs(names) do
        if #seen[where] < KEPT then
          seen[where][#seen[where] + 1] = name
        end
      end
      seen.brought = brought and where or seen.brought
    end
  end
  if line.too_complex or #line.commands > LOOKED_AT or line.error and outcome.of(ev) ~= "failed" then
    seen.after[#seen.after + 1] = "what a line writes that is too long to be read, or no shell's"
  end
  return seen
end

on("pre_tool_call", { name = "test-verifier-begin", always = true, match = { kind = "shell" }, on_failure = "warn" }, function(ev)
  if runs_tests(ev) then
    ledger.of(ev, settings):begin(call_key(ev))
  end
end)

on("post_tool_call", { name = "test-verifier-note", always = true, match = { kind = "shell|write|edit|mcp|other" }, on_failure = "warn" }, function(ev)
  local ended = outcome.of(ev)
  if ended == "denied" then
    return
  end
  local seen
  if ev.tool_call.kind == "shell" then
    seen = seen_in(ev)
  else
    seen = { before = {}, after = ended ~= "failed" and edits.of_tool(ev, settings.ignore) or {}, runs = {} }
  end
  if #seen.before > 0 or #seen.after > 0 or seen.brought or next(seen.runs) then
    ledger.of(ev, settings):note(call_key(ev), seen)
  end
end)

-- drop_ignored forgets files that shells have written and git ignores, or that they have deleted and git doesn't
-- know.
local function drop_ignored(all)
  local written = {}
  for name, file in pairs(all.files) do
    if file.shell and not path.is_abs(name) then
      written[#written + 1] = name
    end
  end
  if #written == 0 then
    return
  end
  local ok, status = pcall(git.status)
  if not ok or not status then
    return -- no git: all of it counts
  end
  local foreign = {}
  for _, name in ipairs(written) do
    local known = false
    for _, entry in ipairs(status) do
      known = known or entry.path == name or text.ends_with(entry.path, "/") and text.starts_with(name, entry.path)
    end
    if not known then
      local asked, tracked = pcall(git.tracked, name)
      if asked and not tracked then
        foreign[#foreign + 1] = name
      end
    end
  end
  ledger.forget(all, foreign)
end

-- since lists the files that were edited after a time, the latest first.
local function since(all, at)
  local names = {}
  for name, file in pairs(all.files) do
    if file.at > at then
      names[#names + 1] = name
    end
  end
  table.sort(names, function(a, b)
    local first, second = all.files[a].at, all.files[b].at
    return first > second or first == second and a < b
  end)
  local shown = {}
  for i = 1, math.min(#names, NAMED) do
    shown[i] = one_line(names[i], 100)
  end
  local more = #names - #shown + (at == 0 and all.more or 0)
  if #shown == 0 then
    return all.brought > at and "what git brought in" or "files"
  end
  return table.concat(shown, ", ") .. (more > 0 and (" and %d more"):format(more) or "")
end

-- Why the latest run of a command doesn't count.
local WHY = {
  failed = "it failed in its latest run (%s)",
  hidden = "in %q its exit status can't be seen; run it without what hides that (| without pipefail, ||, ;, &)",
  other = "%q is not the whole of it",
  elsewhere = "%q ran in another folder",
  background = "%q went to the background, so that how it ended can't be seen",
  unknown = "how %q ended wasn't told",
}

-- missing returns what is wrong with a command; nil if it has passed since the last edit.
local function missing(wanted, all)
  local run = all.runs[wanted.key] or { passed = 0, at = 0 }
  local latest = math.max(all.edited, all.brought)
  if run.passed > 0 and run.passed >= latest then
    return nil
  end
  local why
  if run.why and run.why ~= "passed" and (run.at >= latest or run.why == "failed") then
    why = WHY[run.why]:format(run.as)
  elseif run.passed > 0 then
    why = "edited since it passed: " .. since(all, run.passed)
  elseif run.at > 0 then
    why = "edited since it ran: " .. since(all, run.at)
  else
    why = "it hasn't been run; edited: " .. since(all, 0)
  end
  return ("`%s`: %s"):format(wanted.text, why)
end

-- perform runs a command itself; it returns nil if it has passed, else its output.
local function perform(wanted, all)
  local at = ledger.now()
  local answer, problem = exec.run(wanted.path, wanted.args, { env = wanted.env, cwd = wanted.folder ~= "." and wanted.folder or nil })
  if not answer then
    return ("`%s` could not be run: %s"):format(wanted.text, problem)
  elseif answer.code ~= 0 then
    local said = redact.text(text.trim(answer.stdout .. "\n" .. answer.stderr))
    if #said > 1500 then
      said = "... " .. said:sub(-1500):gsub("^[\128-\191]+", "")
    end
    return ("`%s` failed (%s):\n%s"):format(wanted.text, answer.signal and "signal " .. answer.signal or "status " .. answer.code, said)
  end
  all.runs[wanted.key] = { passed = at, at = at, why = "passed" }
  return nil, at
end

-- verify answers an event that ends some work.
local function verify(ev)
  local book = ledger.of(ev, settings)
  local all = book:all()
  if all.edited > 0 then
    drop_ignored(all)
  end
  if all.edited == 0 then
    return
  end
  local problems, passed = {}, {}
  for _, wanted in ipairs(commands) do
    local problem = missing(wanted, all)
    if problem and settings.run then
      local at
      problem, at = perform(wanted, all)
      passed[#passed + 1] = at and { key = wanted.key, at = at } or nil
    end
    problems[#problems + 1] = problem
  end
  if #passed > 0 then
    book:passed(passed)
  end
  if #problems == 0 then
    return { data = { verified = true } }
  end
  local what = ev.event == "pre_close" and "This issue can't be closed yet" or ev.event == "stop" and "This isn't done yet" or "This task isn't done yet"
  return { data = { verified = false } },
    deny(("%s: its tests must have passed since the last edit.\n- %s\n%s (test-verifier)"):format(what, table.concat(problems, "\n- "),
      settings.run and "Fix what fails, then try again." or "Run it in the project's root exactly as it is written here, fix what fails, then try again."))
end

local patience = settings.run and ("%ds"):format(math.ceil(settings.timeout)) or "10s"
for _, event in ipairs({ "pre_close", "stop", "task_completed" }) do
  on(event, { name = "test-verifier", timeout = patience }, verify)
end
