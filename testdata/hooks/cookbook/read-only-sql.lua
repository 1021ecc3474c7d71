-- Lets the agent only read from databases, through psql, mysql, sqlite3 and the like and through MCP servers.
--
-- A user of the database who may only read is the better guard; this one also says why.
--
-- denies: psql -c "UPDATE users SET admin = true WHERE id = 7"
-- denies: echo 'drop table users' | docker exec -i db psql shop
-- denies: sqlite3 app.db "WITH old AS (DELETE FROM log RETURNING *) SELECT count(*) FROM old"
-- asks: psql -f migrate.sql
-- passes: psql -c "SELECT 'DELETE FROM users'"
-- passes: git commit -m "DELETE FROM users"
local READS = {}
for verb in ("SELECT VALUES TABLE SHOW DESCRIBE DESC EXPLAIN USE BEGIN START COMMIT ROLLBACK END"):gmatch("%a+") do
  READS[verb] = true
end
-- Options with which a client reads its statements from a file.
local FROM_FILE = { psql = { "-f", "--file" }, mysql = {}, mariadb = {}, sqlite3 = { "-init", "--init" } }

on("pre_tool_call", { match = { kind = "shell|mcp" } }, function(ev)
  for _, statement in ipairs(sql.find(ev.tool_call)) do
    if not statement.verb then
      return ask("which SQL this runs can't be known before it runs")
    elseif not statement.explain and (not READS[statement.verb] or statement.action == "INTO") then
      return deny(("%s is not allowed here, only reading: ask the user to run it"):format(statement.verb))
    end
  end
  if ev.tool_call.kind ~= "shell" then
    return
  end
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    local options = FROM_FILE[cmd.name]
    local script = options and cmd:flag(unpack(options))
    for _, redirect in ipairs(options and cmd.redirects or {}) do
      script = script or redirect.op == "<"
    end
    for _, word in ipairs(options and cmd:operands() or {}) do
      script = script or cmd.name == "sqlite3" and re.match(word, [[^\.(read|restore|import|shell|system)\b]])
    end
    if script then
      return ask("the SQL stands in a file that luahook doesn't read")
    end
  end
end)
