-- What patterns of a shell stand for. The names are read when the first pattern comes.

local names = {}

local known

-- all returns the option names of shell.parse.
function names.all()
  known = known or require("filenames")
  return known
end

-- meant lists the paths that one with patterns may stand for.
function names.meant(target)
  return target:find("[*?[(]") and names.all():meant(target) or {}
end

-- original returns a command as the line has it, where it was made of one with patterns.
function names.original(cmd)
  return known and known:original(cmd) or cmd
end

return names
