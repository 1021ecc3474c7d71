-- Refuses commit messages that don't have the form "type(scope): subject".
--
-- The message is looked at where it stands in the command, also as the here-document that agents like to write.
--
-- denies: git commit -m "fixed the login"
-- denies: git add . && git commit -am "Feat: login"
-- denies: git commit --amend -m wip
-- passes: git commit -m "fix(login): keep the session" -m "It was lost on a reload."
-- passes: git commit --amend --no-edit
-- passes: git log --grep "fixed the login"
local FORM = re.compile([[^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\([\w@./-]+\))?!?: \S]])
local LONGEST = 72

-- The subject of a commit: the first line of the first -m, or of what "-F -" reads; nil if it isn't given here.
local function subject(cmd)
  local message = cmd:flag("-m", "--message") -- true without a value; of several the last
  for i, word in ipairs(message and cmd.args or {}) do
    if word == "--message" or word:match("^%-%l*m$") then -- "-am" is -a and -m
      message = cmd.args[i + 1] or ""
      break
    end
  end
  if not message and cmd:flag("-F", "--file") == "-" and cmd.input then
    message = cmd.input.text
  end
  return message and (text.lines(tostring(message))[1] or "")
end

on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    local given = cmd.git and cmd.git.subcommand == "commit" and subject(cmd)
    if given and not FORM:match(given) then
      return deny(("%q is not of the form type(scope): subject, as in fix(login): keep the session"):format(given))
    elseif given and #given > LONGEST then
      return deny(("the subject has %d bytes, %d at most: the rest goes below an empty line"):format(#given, LONGEST))
    end
  end
end)
