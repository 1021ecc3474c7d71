-- Tells the agent with each prompt the branch, how much has changed, and what is open in TODO.md.
local MOST = 10

on("pre_prompt", function()
  local lines = {}
  local branch = git.branch()
  if branch then
    local changed = git.status({ timeout = "500ms" })
    lines[1] = "Branch: " .. branch .. (changed and (", %d files differ from the last commit"):format(#changed) or "")
  end

  -- Open items look like this: "- [ ] round the totals". A file that isn't there has none.
  local open = 0
  for _, line in ipairs(text.lines(fs.read("TODO.md") or "")) do
    local todo = line:match("^%s*[-*+] %[ %] (.+)")
    if todo then
      open = open + 1
      if open <= MOST then
        lines[#lines + 1] = "Open in TODO.md: " .. text.truncate(todo, 200)
      end
    end
  end
  if open > MOST then
    lines[#lines + 1] = ("TODO.md has %d more."):format(open - MOST)
  end

  if #lines > 0 then
    return context(table.concat(lines, "\n"))
  end
end)
