-- The folders of an event.

local folders = {}

-- The folder that a command starts in: the call may name its own. The second value is true if it is unclear
-- which one counts.
local function starting_folder(call, cwd)
  local named, several = rules.folder(call)
  if several then
    return nil, true
  elseif not named then
    return cwd
  elseif host.home and (named == "~" or named:sub(1, 2) == "~/") then
    return path.join(host.home, named:sub(3))
  elseif path.is_abs(named) then
    return named
  elseif named:sub(1, 1) == "~" or path.clean(named):sub(1, 2) == ".." and not cwd then
    return nil, true
  end
  return cwd and path.join(cwd, named)
end

-- of returns the agent's working folder, the one that the call starts in, absolute, both nil if they aren't known,
-- and whether it isn't clear where the call starts.
function folders.of(ev)
  local cwd = ev.cwd
  cwd = cwd and cwd ~= "" and path.is_abs(cwd) and path.clean(cwd) or nil
  local start, lost = starting_folder(ev.tool_call, cwd)
  if start and not path.is_abs(start) then
    start = nil
  end
  return cwd, start, lost or false
end

return folders
