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

-- The result is the finding, if there is one.
return function(book, call, ev)
  local command = call.command
  if not command or command == "" then
    return MISSING
  end
  local cwd, start, lost = folders.of(ev)
  local commands, todo, failure, too_complex
  if call.host_name ~= "Bash" and call.host_name ~= "bash" then -- it may be a program, and no line
    commands = require("code").commands(call, { cwd = start, home = host.home or nil, language = call.language })
  end
  if not commands then
    commands, todo, failure, too_complex = book.index:parse(command, start, host.home or nil, call.language)
    if commands == true then -- there are patterns in it
      commands, todo, failure, too_complex = book.index:parse(command, start, host.home or nil, call.language, names.all())
    end
  end
  if not commands then
    return -- no rule is about any of it
  end
  judge, scenes = judge or require("judge"), scenes or require("scene")
  return judge.line(book, scenes.new(book.settings, cwd, start, lost), command, commands, todo, failure, too_complex)
end
