-- A shell call. Most end here, before there is anything to judge: judge.lua and what it needs are loaded when there is.
-- The text of the line is read only here and in code.lua and sqlline.lua, and the text handed to programs only in handed.lua.

local folders = require("folders")
local names = require("names")
local judge, scenes

-- A shell call whose command can't be found.
local MISSING = {
  decision = "ask",
  rule = {
    id = "unknown.command", class = "unknown",
    reason = "This shell call keeps its command where the guard can't find it.", advice = "Use the field that the shell tool has for it.",
  },
}

-- judged returns the finding for a call whose text is in a language, nil: what it is likely to be.
local function judged(book, call, ev, command, language)
  local cwd, start, lost = folders.of(ev)
  local commands, todo, failure, too_complex
  if call.host_name ~= "Bash" and call.host_name ~= "bash" then -- it may be a program, and no line
    commands = require("code").commands(call, { cwd = start, home = host.home or nil, language = language })
  end
  if not commands then
    commands, todo, failure, too_complex = book.index:parse(command, start, host.home or nil, language)
    if commands == true then -- there are patterns in it
      commands, todo, failure, too_complex = book.index:parse(command, start, host.home or nil, language, names.all())
    end
  end
  if not commands then
    return -- no rule is about any of it
  end
  judge, scenes = judge or require("judge"), scenes or require("scene")
  return judge.line(book, scenes.new(book.settings, cwd, start, lost), command, commands, todo, failure, too_complex)
end

-- The result is the finding, if there is one.
return function(book, call, ev)
  local command = call.command
  if not command or command == "" then
    return MISSING
  end
  local language = call.language
  local finding = judged(book, call, ev, command, language)
  if language and call.input.shell and not (finding and finding.decision == "deny") then
    -- The input says which shell it is, and the tool may not listen to that: what it is otherwise is judged, too, but that
    -- one can't be read.
    local other = judged(book, call, ev, command, nil)
    if other and other.rule.class ~= "unknown" and (other.decision == "deny" or not finding) then
      return other
    end
  end
  return finding
end
