-- SQL that affects a whole server rather than its data.

local RESETS = { RESET = { MASTER = true, BINARY = true }, PURGE = { MASTER = true, BINARY = true } }

-- What an application can't do without, and no table is.
local PARTS = { FUNCTION = true, PROCEDURE = true, TRIGGER = true, EVENT = true, EXTENSION = true, POLICY = true, TYPE = true, SEQUENCE = true, PUBLICATION = true, SUBSCRIPTION = true, DOMAIN = true, AGGREGATE = true, RULE = true, SERVER = true }

local function real(statement)
  return not statement.explain and not statement.stored
end

return {
  {
    id = "databases.grant-all",
    severity = "medium",
    on = "statement",
    looks_at = "statements: GRANT ALL on everything",
    when = function(statement)
      return statement.verb == "GRANT" and text.starts_with(statement.action or "", "ALL") and statement.name == "*.*" and real(statement) and "GRANT ALL ON *.*"
    end,
    reason = "{detail} gives somebody all rights on every database of the server.",
    advice = "Grant what is needed, on the database that it is needed on.",
    suggestion = "mysql -e \"GRANT SELECT ON shop.* TO 'kim'@'localhost'\"",
    blocked = { "mysql -e \"GRANT ALL PRIVILEGES ON *.* TO 'kim'@'%'\"" },
    passes = { "mysql -e \"GRANT SELECT ON *.* TO 'kim'@'%'\"", "mysql -e \"GRANT ALL ON shop.* TO 'kim'@'localhost'\"" },
  },
  {
    id = "databases.server",
    severity = "medium",
    on = "statement",
    looks_at = "statements: DROP FUNCTION and the like, KILL, RESET MASTER, PURGE BINARY LOGS, SHUTDOWN, REASSIGN OWNED, ALTER SYSTEM",
    when = function(statement)
      local verb, object = statement.verb, statement.object or ""
      local resets = RESETS[verb]
      if not verb or not real(statement) then
        return nil
      elseif resets and (resets[statement.action or ""] or resets[(statement.name or ""):upper()]) then
        return verb .. " " .. (statement.name or statement.action or ""):upper()
      elseif verb == "SHUTDOWN" or verb == "REASSIGN" then
        return verb
      elseif verb == "KILL" or verb == "STOP" or verb == "RENAME" and object == "TABLE" or verb == "FLUSH" and object == "TABLES" then
        return text.trim(verb .. " " .. object)
      elseif verb == "RESET" and re.match(statement.action or "", "^(SLAVE|REPLICA)") then
        return "RESET " .. statement.action
      elseif verb == "DROP" and PARTS[object] then
        return "DROP " .. object
      elseif verb == "REVOKE" and text.starts_with(statement.action or "", "ALL") then
        return "REVOKE ALL"
      elseif verb == "ALTER" and object == "SYSTEM" and not text.starts_with(statement.action or "", "RESET") then
        return "ALTER SYSTEM"
      end
    end,
    reason = "{detail} changes the server for everyone who uses it.",
    advice = "Look at how it is set up, and ask the user.",
    suggestion = "mysql -e 'SHOW BINARY LOGS'",
    blocked = { "mysql -e 'RESET MASTER'", "mysql -e \"PURGE BINARY LOGS TO 'a'\"", "mysql -e SHUTDOWN" },
    passes = { "mysql -e 'SHOW BINARY LOGS'", "psql -c 'RESET ALL'", "mysql -e 'RESET QUERY CACHE'" },
  },
}
