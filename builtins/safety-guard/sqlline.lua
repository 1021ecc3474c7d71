-- SQL that is given to a shell as if it were a command.

local sqlline = {}

local SQL = { SELECT = true, INSERT = true, UPDATE = true, DELETE = true, CREATE = true, ALTER = true, DROP = true, TRUNCATE = true, WITH = true }

-- goes_on reports whether a command is SQL whose WHERE is in the next line.
function sqlline.goes_on(commands, cmd)
  if not commands or not SQL[cmd.path:upper()] then
    return false
  end
  for _, other in ipairs(commands) do
    if other.line > cmd.line then
      return other.path:upper() == "WHERE" and #other.args > 2
    end
  end
  return false
end

-- statements returns the statements of a line that is SQL and no valid shell command; nil for others.
function sqlline.statements(command)
  if not SQL[(command:match("^%s*(%a+)%s") or ""):upper()] then
    return nil
  end
  local statements = sql.parse(command)
  for _, statement in ipairs(statements) do
    if not statement.verb or statement.dynamic then
      return nil
    end
  end
  return statements[1] and statements
end

return sqlline
