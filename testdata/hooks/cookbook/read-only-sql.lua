-- Lets the agent only read from databases, by psql, mysql and the like and by MCP servers.
--
-- A user of the database who may only read is the better guard; this one also says why.
--
-- denies: psql -c "UPDATE users SET admin = true WHERE id = 7"
-- denies: echo 'drop table users' | docker exec -i db psql shop
-- denies: sqlite3 app.db "WITH old AS (DELETE FROM log RETURNING *) SELECT count(*) FROM old"
-- asks: psql -f migrate.sql
-- asks: mysql shop < migrate.sql
-- passes: psql -c "SELECT 'DELETE FROM users'"
-- passes: git commit -m "DELETE FROM users"
local READS = {}
for verb in ("SELECT VALUES TABLE SHOW DESCRIBE DESC EXPLAIN USE BEGIN START COMMIT ROLLBACK END"):gmatch("%a+") do
  READS[verb] = true
end
-- The clients, and the options by which each reads a file.
local CLIENTS = {
  psql = { "-f", "--file" }, sqlite3 = { "-init" }, duckdb = { "-init" }, sqlcmd = { "-i" }, mysql = {}, mariadb = {},
}
-- Which MCP tools are about a database, by their names.
local SERVERS = re.compile([[sql|postgres|maria|database|supabase|bigquery|snowflake|(^|_)db(_|$)]])

local function writes(statement)
  if statement.verb == "PRAGMA" then -- of sqlite; those that tell of tables end like this
    return not re.match(statement.name or "", "_(x?info|x?list)$")
  end
  return not READS[statement.verb] or text.starts_with(statement.action or "", "INTO")
end

-- Whether a client reads statements from a file, which nobody has looked into.
local function reads_file(cmd)
  for _, redirect in ipairs(cmd.redirects) do
    if redirect.op == "<" then
      return true
    end
  end
  for _, word in ipairs(cmd.args) do -- "\\i x.sql", "source x.sql", ".read x.sql"
    if re.match(word, [[^\s*(\\ir?|\\\.|source|\.(read|restore|import))\s]]) then
      return true
    end
  end
  local options = CLIENTS[cmd.name]
  local file = #options > 0 and cmd:flag(unpack(options))
  return file and file ~= "-"
end

on("pre_tool_call", { match = { kind = "shell|mcp" } }, function(ev)
  local call = ev.tool_call
  if call.kind == "mcp" and not SERVERS:match(call.name) then
    return
  end
  for _, statement in ipairs(sql.find(call)) do
    if not statement.verb then
      return ask("which SQL this runs can't be known before it runs")
    elseif not statement.explain and writes(statement) then
      return deny(statement.verb .. " is not allowed here, only reading: ask the user to run it")
    end
  end
  for _, cmd in ipairs(call.kind == "shell" and shell.parse(call.command).commands or {}) do
    if CLIENTS[cmd.name] and reads_file(cmd) then
      return ask("the SQL stands in a file that was not looked into")
    end
  end
end)
