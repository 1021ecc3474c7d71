-- Lets only commit messages of the form "type(scope): subject" through.
--
-- The message is looked at where it stands in the command, also as the here-document that agents like to write.
--
-- denies: git commit -m "fixed the login"
-- denies: git add . && git commit -am "Feat: login"
-- denies: git commit --amend -m wip
-- passes: git commit -m "fix(login): keep the session" -m "It was lost on a reload."
-- passes: git commit --amend --no-edit
-- passes: git log --grep "fixed the login"
local FORM = re.compile([[^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\([\w./-]+\))?!?: \S]])
local LONGEST = 72

-- The subject of a commit: the first line of the first -m, or of what "-F -" reads; nil if it isn't given here.
local function subject(cmd)
  for i, word in ipairs(cmd.args) do
    local attached = word:match("^%-%-message=(.*)") or word:match("^%-[aeqsv]*m(.+)")
    if attached or word == "--message" or word:match("^%-[aeqsv]*m$") then
      return text.lines(attached or cmd.args[i + 1] or "")[1] or ""
    end
  end
  if cmd:flag("-F", "--file") == "-" and cmd.input then
    return text.lines(cmd.input.text)[1] or ""
  end
end

on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    local given = cmd.git and cmd.git.subcommand == "commit" and subject(cmd)
    if given and not FORM:match(given) then
      return deny(("%q is not of the form type(scope): subject, as in fix(login): keep the session"):format(given))
    elseif given and #given > LONGEST then
      return deny(("the subject has %d characters, %d at most: the rest goes below an empty line"):format(#given, LONGEST))
    end
  end
end)
