only("read-only-sql.lua")

test_each({
  { [[psql -c "INSERT INTO a VALUES (1)"]], "INSERT" },
  { [[mysql -e "SELECT 1; UPDATE a SET b = 1 WHERE c = 2"]], "UPDATE" },
  { "sudo -u postgres psql <<'SQL'\nALTER TABLE a ADD COLUMN b int;\nSQL", "ALTER" },
  { [[psql -c "EXPLAIN ANALYZE DELETE FROM a WHERE id = 1"]], "DELETE" },
  { [[psql -c "SELECT * INTO copy FROM users"]], "SELECT" },
  { [[sqlite3 app.db "PRAGMA user_version = 3"]], "PRAGMA" },
  { "cd db && createdb shop", "CREATE" },
}, "denies: %s", function(command, verb)
  local r = fire("pre_tool_call", command)
  expect(r.decision):is("deny")
  expect(r.reason):contains(verb .. " is not allowed here")
end)

test_each({
  [[psql -c "$QUERY"]], "cat new.sql | psql shop", "sqlite3 app.db '.read new.sql'", [[psql -c '\i new.sql']],
  "mysql -e 'source new.sql'", "sqlite3 -init a.sql app.db",
}, "asks: %s", function(command)
  expect(fire("pre_tool_call", command).decision):is("ask")
end)

test_each({
  [[psql -h db -c "SELECT name FROM users ORDER BY name LIMIT 5"]], [[psql -c "EXPLAIN DELETE FROM a"]],
  [[psql -c '\dt']], "mysql -e 'SHOW TABLES'",
  [[sqlite3 app.db "PRAGMA table_info(users)"]], "sqlite3 app.db .schema", "grep -rn 'DROP TABLE' migrations",
  "psql --version", "psql -c 'select 1' > out.txt", "mysql -f -e 'select 1'",
}, "passes: %s", function(command)
  expect(fire("pre_tool_call", command).decision):is("")
end)

local function call(tool, input)
  return fire("pre_tool_call", { tool_call = { name = tool, input = input } }).decision
end

test("a database's MCP server may read", function()
  expect(call("mcp__postgres__query", { sql = "SELECT 1" })):is("")
  expect(call("mcp__postgres__query", { sql = "DROP TABLE users" })):is("deny")
  expect(call("mcp__supabase__apply_migration", { query = "CREATE TABLE x (a int)" })):is("deny")
end)

test("words in other servers are words", function()
  expect(call("mcp__github__search_issues", { query = "delete from plan" })):is("")
end)
