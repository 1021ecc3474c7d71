-- The programs that run a command for another one.

local reached = {}

local ADMIN = { sudo = true, doas = true, su = true, pkexec = true, run0 = true }

-- by reports whether a command is run by a program, such as xargs.
function reached.by(cmd, program)
  for _, via in ipairs(cmd.via) do
    if via == program then
      return true
    end
  end
  return false
end

-- as_admin reports whether a command runs with another user's rights.
function reached.as_admin(cmd)
  for _, via in ipairs(cmd.via) do
    if ADMIN[via:match("^%S*")] then
      return true
    end
  end
  return false
end

return reached
