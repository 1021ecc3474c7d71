-- Recent changes: the latest commits, and what isn't committed.

local quote = require("quote")
local room = require("room")

-- Why something is left out.
local function why(problem)
  return text.starts_with(problem, "git took longer") and "git took too long" or quote.line(problem, 200)
end

-- The heading of the latest commits, their lines, and whether there are none yet.
local function commits(settings, git_time)
  if settings.commits == 0 then
    return "", {}
  end
  local list, problem = git.log({ n = settings.commits, timeout = git_time() })
  if not list and not text.starts_with(problem, "git took longer") then
    local _, none = git.head()
    if none and text.contains(none, "there is no commit HEAD") then
      return "No commits yet.", {}, true
    end
  end
  if not list then
    return ("Commits left out: %s."):format(why(problem)), {}
  end
  local lines = {}
  for i, c in ipairs(list) do
    lines[i] = ("- %s %s %s"):format(c.hash:sub(1, 8), c.date:sub(1, 10), quote.line(c.subject, 120))
  end
  return #lines > 0 and "Latest commits:" or "", lines
end

local function changed(git_time, unborn)
  local list, problem = git.status({ folders = true, timeout = git_time() })
  if not list then
    return ("Changed files left out: %s."):format(why(problem)), {}
  end
  local lines = {}
  for i, file in ipairs(list) do
    if i > 1000 then
      break
    end
    lines[i] = ("%s%s %s"):format(file.index, file.worktree, quote.line(file.path, 200))
  end
  if #lines == 0 then
    return unborn and "" or "No file differs from the last commit.", lines
  end
  return "Not committed (as git status --short has it):", lines, #list - #lines
end

local function wanted(heading, lines)
  local sum = heading == "" and 0 or #heading + 1
  for _, line in ipairs(lines) do
    sum = sum + #line + 1
  end
  return sum
end

return function(settings, _, git_time)
  local branch, problem = git.branch()
  if not branch then
    if text.contains(problem, "is in no git repository") then
      return nil
    elseif text.contains(problem, "HEAD is detached") then
      branch = ("No branch is checked out, HEAD is at %s."):format((git.head() or "?"):sub(1, 8))
    else
      error(problem, 0)
    end
  else
    branch = ("On branch %s."):format(quote.line(branch, 200))
  end
  local done, log_lines, unborn = commits(settings, git_time)
  local undone, status_lines, hidden = changed(git_time, unborn)
  local parts = {
    { heading = undone, lines = status_lines, noun = "file", hidden = hidden },
    { heading = done, lines = log_lines, noun = "commit" },
  }
  local wishes = {}
  for i, part in ipairs(parts) do
    wishes[i] = wanted(part.heading, part.lines) + 40 -- for the line about the rest
  end
  local extra = quote.overhead("git") + #branch + 1
  return {
    wanted = extra + wishes[1] + wishes[2],
    write = function(limit)
      local all = { branch }
      for i, share in ipairs(room.share(limit - extra, wishes, 0)) do
        local part = parts[i]
        if part.heading ~= "" then
          local listed = room.fit(part.lines, share - #part.heading - 1, part.noun, part.hidden)
          if not listed then
            return nil
          end
          all[#all + 1] = part.heading
          all[#all + 1] = listed ~= "" and listed or nil
        end
      end
      return quote.block("git", table.concat(all, "\n"))
    end,
  }
end
