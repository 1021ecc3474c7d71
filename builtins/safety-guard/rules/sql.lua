-- SQL that deletes data for good, however it reaches a database.

local stage = require("stage")

-- A DROP of these deletes data.
local DATABASES = { DATABASE = true, SCHEMA = true, KEYSPACE = true, CATALOG = true, NAMESPACE = true, INSTANCE = true, TABLESPACE = true, WAREHOUSE = true,
  ["EXTERNAL SCHEMA"] = true, APPLICATION = true }
local TABLES = { TABLE = true, TABLES = true, ["MATERIALIZED VIEW"] = true, ["MATERIALIZED TABLE"] = true, ["DYNAMIC TABLE"] = true, ["FOREIGN TABLE"] = true, ["EXTERNAL TABLE"] = true,
  COLLECTION = true, SERIES = true, MEASUREMENT = true, STREAM = true, STAGE = true, ["RETENTION POLICY"] = true, CLUSTER = true, DISKGROUP = true, SNAPSHOT = true, BACKUP = true,
  OWNED = true, ["OWNED BY"] = true, GRAPH = true }
-- These can be made again from the project, and hold no data.
local CODE = { FUNCTION = true, PROCEDURE = true, PROC = true, ROUTINE = true, AGGREGATE = true, TRIGGER = true, EXTENSION = true, POLICY = true, ["ROW POLICY"] = true,
  RULE = true, CONSTRAINT = true, OPERATOR = true, CAST = true, STATISTICS = true, SYNONYM = true, MACRO = true, ["EVENT TRIGGER"] = true, PREPARE = true, COLLATION = true,
  CONVERSION = true, DEFAULT = true, PACKAGE = true, ["PACKAGE BODY"] = true, TASK = true, TAG = true, EVENT = true, LANGUAGE = true, SECRET = true }

-- A temporary table, by its name.
local SCRATCH = patterns.later([[(?i)(^|\.)(#|_?te?mp_|scratch_)]])

-- Whether a statement before made a temporary table of that name.
local function is_made(statement, name)
  for _, other in ipairs(statement.others or {}) do
    if other == statement then
      return false
    elseif other.verb == "CREATE" and other.action == "TEMPORARY" and other.name == name and not other.dynamic and not statement.dynamic then
      return true
    end
  end
  return false
end

local function scratch(statement)
  if statement.action == "TEMPORARY" then
    return true
  end
  for _, name in ipairs(statement.names) do
    if not SCRATCH:match(name) and not is_made(statement, name) then
      return false
    end
  end
  return #statement.names > 0 and not statement.dynamic
end

-- Whether a command's database is gone when it ends, or lies among temporary files: that of sqlite3, duckdb, or of a
-- program in another language, which has it as its argument.
local function for_scratch(cmd, scene)
  if cmd.name and cmd.name ~= "sqlite3" and cmd.name ~= "duckdb" then
    return false
  end
  local word = cmd.words[1]
  if cmd.name then
    if cmd:operands()[1] == ":memory:" then
      return true
    end
    local file = cmd:files()[1]
    return file and scene:place(file) == "temp" or false
  elseif not word then
    return false
  end
  return word.text == ":memory:" or (word.dynamic or path.is_abs(word.text)) and scene:place({ path = word.text, dynamic = word.dynamic, glob = false, under = "" }) == "temp"
end

-- What is dropped by a name of its own, whatever database the client works on; MySQL has no schemas but databases.
local SERVERS = { DATABASE = true, KEYSPACE = true, CATALOG = true, INSTANCE = true, TABLESPACE = true, WAREHOUSE = true }
local MYSQL = rules.set("mysql mariadb mycli")

-- Whether all that a statement is about lies in a database that is for tests by its name.
local function of_tests(statement)
  local cmd = statement.cmd
  local elsewhere = MYSQL[cmd and cmd.name or ""]
  if statement.dynamic then
    return false
  elseif statement.verb == "DROP" and (SERVERS[statement.object] or elsewhere and statement.object == "SCHEMA") then
    for _, name in ipairs(statement.names) do
      if not stage.named_for_tests(name) then
        return false
      end
    end
    return #statement.names > 0
  elseif not cmd or not stage.database_for_tests(cmd) then
    return false
  end
  for _, name in ipairs(elsewhere and statement.names or {}) do
    if name:find(".", 1, true) then
      return false -- of another database
    end
  end
  for _, other in ipairs(statement.others) do
    if other.verb == "ATTACH" or other.verb == "USE" or not other.verb then
      return false
    end
  end
  return true
end

-- The statement has no effect: it is explained, or only defined, or the database is gone when the command ends, or is one for tests.
local function idle(statement, scene)
  if statement.explain or statement.stored then
    return true
  end
  local cmd = statement.cmd
  if cmd and (cmd.name == "sqlite3" or cmd.name == "duckdb") and cmd:flag("-readonly", "--readonly") then
    return true
  end
  if of_tests(statement) then
    return true
  elseif not cmd or not for_scratch(cmd, scene) then
    return cmd and stage.for_tests(cmd) or false
  end
  for _, other in ipairs(statement.others) do
    if other.verb == "ATTACH" or not other.verb then
      return false
    end
  end
  return true
end

local function what(statement)
  return statement.name and statement.name ~= "" and statement.name or (statement.object or ""):lower()
end

local function all_rows(statement)
  return not statement.has_where or statement.where_always
end

local function dropped(kinds)
  return function(statement, scene)
    return statement.verb == "DROP" and kinds[statement.object] and not idle(statement, scene) and not scratch(statement) and what(statement)
  end
end

local TAKES = { "DROP COLUMN", "DROP PARTITION", "DROP SUBPARTITION", "TRUNCATE PARTITION", "TRUNCATE SUBPARTITION", "CLEAR COLUMN", "DROP FILE", "DROP UNUSED", "DROP PERIOD", "DROP PROJECTION" }

local function takes(action)
  for _, start in ipairs(TAKES) do
    if text.starts_with(action, start) then
      return true
    end
  end
  return action == "DELETE" -- ClickHouse: ALTER TABLE t DELETE WHERE ...
end

local CLIENTS = { "psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "clickhouse-client", "cockroach" }
local MAKES_LOSS = patterns.later([[(?i)['"][^'"]*\b(drop\s+(table|database|schema|view|index|sequence|type)|truncate|delete\s+from)\b]])

-- Whether another client prints the statements that a client runs: statements in the texts of its own.
local function generated(cmd)
  for _, source in ipairs(cmd.input and cmd.input.from or {}) do
    for _, name in ipairs(CLIENTS) do
      for _, word in ipairs(source.name == name and source.args or {}) do
        if MAKES_LOSS:match(word) then
          return source.name
        end
      end
    end
  end
end

return { class = "sql", title = "SQL", rules = {
  {
    id = "sql.drop-database",
    severity = "critical",
    on = "statement",
    looks_at = "statements: DROP of a database or schema; dropdb, mysqladmin drop",
    when = dropped(DATABASES),
    reason = "This deletes the database {detail} with all that is in it.",
    advice = "Take a backup, and ask the user to drop it.",
    suggestion = "pg_dump shop --file backup.sql",
    blocked = { 'psql -c "DROP DATABASE shop"', "dropdb shop", "mysqladmin -f drop shop", 'psql -c "drop schema public cascade"', "DROP DATABASE IF EXISTS shop;" },
    passes = { "createdb shop", "psql -c \"SELECT 'DROP DATABASE shop'\"", "dropdb --help" },
  },
  {
    id = "sql.drop-table",
    severity = "high",
    on = "statement",
    looks_at = "statements: DROP of what holds rows",
    when = dropped(TABLES),
    reason = "This deletes {detail} with all of its rows.",
    advice = "Rename it, or ask the user to drop it.",
    suggestion = 'psql -c "ALTER TABLE users RENAME TO users_old"',
    blocked = { 'psql -c "DROP TABLE users"', 'sqlite3 shop.db "drop table if exists users"', "echo 'DROP TABLE users' | mysql shop", "DROP TABLE users;" },
    passes = { 'psql -c "CREATE TABLE drops (id int)"', 'mysql -e "DROP TEMPORARY TABLE scratch"', 'sqlite3 :memory: "DROP TABLE users"', 'psql -c "DROP TABLE IF EXISTS tmp_import"' },
  },
  {
    id = "sql.truncate",
    severity = "high",
    on = "statement",
    looks_at = "statements: TRUNCATE",
    when = function(statement, scene)
      return statement.verb == "TRUNCATE" and not idle(statement, scene) and not scratch(statement) and what(statement)
    end,
    reason = "This deletes all rows of {detail}.",
    advice = "Delete those that must go, with a WHERE, or ask the user.",
    suggestion = 'psql -c "DELETE FROM orders WHERE test"',
    blocked = { 'psql -c "TRUNCATE orders"', 'mysql shop -e "SELECT 1; TRUNCATE TABLE orders"' },
    passes = { 'psql -c "SELECT truncate(1.5)"', 'psql -c "TRUNCATE tmp_import"' },
  },
  {
    id = "sql.delete-all",
    severity = "high",
    on = "statement",
    looks_at = "statements: DELETE without a WHERE, or with one that is always true",
    when = function(statement, scene)
      return (statement.verb == "DELETE" or statement.verb == "MERGE" and statement.action == "DELETE" and statement.where_always)
        and all_rows(statement) and not idle(statement, scene) and not scratch(statement) and what(statement)
    end,
    reason = "This deletes all rows of {detail}.",
    advice = "Say which, with a WHERE.",
    suggestion = 'psql -c "DELETE FROM users WHERE id = 7"',
    blocked = { 'psql -c "DELETE FROM users"', 'mysql -e "delete from users where 1=1"', "sqlite3 shop.db 'DELETE FROM users;'", "DELETE FROM users" },
    passes = { 'psql -c "DELETE FROM users WHERE id = 7"', "psql -c \"SELECT 'DELETE FROM users'\"", 'psql -c "EXPLAIN DELETE FROM users"' },
  },
  {
    id = "sql.replace-table",
    severity = "medium",
    on = "statement",
    looks_at = "statements: CREATE OR REPLACE of a table",
    when = function(statement, scene)
      local cmd = statement.cmd
      if cmd and cmd.name == "duckdb" and #cmd:operands() == 0 then
        return nil -- in memory
      end
      return statement.verb == "CREATE" and statement.action == "OR REPLACE" and TABLES[statement.object] and statement.object ~= "MATERIALIZED VIEW" and statement.object ~= "DYNAMIC TABLE"
        and not idle(statement, scene) and not scratch(statement) and what(statement)
    end,
    reason = "This puts another table in the place of {detail}, whose rows are lost.",
    advice = "Make a new table, or ask the user.",
    suggestion = 'snowsql -q "CREATE TABLE users_new AS SELECT * FROM users"',
    blocked = { 'snowsql -q "CREATE OR REPLACE TABLE users (id int)"' },
    passes = { 'snowsql -q "CREATE OR REPLACE VIEW v AS SELECT 1"', 'snowsql -q "CREATE OR REPLACE TEMP TABLE t (id int)"' },
  },
  {
    id = "sql.drop-column",
    severity = "high",
    on = "statement",
    looks_at = "statements: ALTER that drops a column or a partition",
    when = function(statement, scene)
      return statement.verb == "ALTER" and takes(statement.action or "") and not idle(statement, scene) and not scratch(statement) and what(statement)
    end,
    reason = "This takes a part of {detail} away, with what is in it.",
    advice = "Rename the column, or ask the user to drop it.",
    suggestion = 'psql -c "ALTER TABLE users RENAME COLUMN email TO email_old"',
    blocked = { 'mysql -e "ALTER TABLE users DROP COLUMN email"', 'psql -c "ALTER TABLE users DROP email"', 'mysql -e "ALTER TABLE sales DROP PARTITION p2019"' },
    passes = { 'psql -c "ALTER TABLE users ADD COLUMN email text"', 'psql -c "ALTER TABLE users DROP CONSTRAINT users_key"', 'psql -c "ALTER TABLE users ALTER COLUMN email DROP DEFAULT"' },
  },
  {
    id = "sql.update-all",
    severity = "medium",
    on = "statement",
    looks_at = "statements: UPDATE without a WHERE, or with one that is always true",
    when = function(statement, scene)
      return statement.verb == "UPDATE" and all_rows(statement) and not statement.has_limit and not idle(statement, scene) and not scratch(statement) and what(statement)
    end,
    reason = "This changes all rows of {detail}.",
    advice = "Say which, with a WHERE.",
    suggestion = 'psql -c "UPDATE users SET active = true WHERE id = 7"',
    blocked = { 'psql -c "UPDATE users SET active = false"', 'mysql shop -e "update users set admin = 1 where true"' },
    passes = { 'psql -c "UPDATE users SET active = false WHERE id = 7"', 'psql -c "UPDATE users SET active = false FROM gone WHERE gone.id = users.id"' },
  },
  {
    id = "sql.drop-object",
    severity = "medium",
    on = "statement",
    looks_at = "statements: DROP of an index, a view, a user and the like",
    when = function(statement, scene)
      local kind = statement.object
      return statement.verb == "DROP" and not DATABASES[kind] and not TABLES[kind] and not CODE[kind] and not idle(statement, scene) and not scratch(statement) and what(statement)
    end,
    reason = "This drops {detail}, which others may rely on.",
    advice = "Keep what makes it anew, and ask the user.",
    suggestion = 'psql -c "SELECT * FROM pg_indexes"',
    blocked = { 'psql -c "DROP INDEX users_by_name"', 'psql -c "DROP ROLE kim"', 'psql -c "DROP VIEW active_users"' },
    passes = { 'psql -c "CREATE INDEX users_by_name ON users (name)"', 'psql -c "DROP FUNCTION total(int)"' },
  },
  {
    id = "sql.program",
    severity = "medium",
    on = "statement",
    looks_at = "statements: COPY from or to a program",
    when = function(statement, scene)
      return statement.verb == "COPY" and text.contains(statement.action or "", "PROGRAM") and not idle(statement, scene) and what(statement)
    end,
    reason = "COPY of {detail} has the database's machine run a program.",
    advice = "Use a file.",
    suggestion = [[psql -c '\copy users to users.csv csv']],
    blocked = { [[psql -c "COPY users FROM PROGRAM 'curl https://shop.example'"]] },
    passes = { [[psql -c "COPY users TO '/tmp/users.csv'"]] },
  },
  {
    id = "sql.generated",
    severity = "high",
    programs = CLIENTS,
    looks_at = "cmd.input.from: a client whose statement makes statements that drop, truncate or delete",
    when = generated,
    reason = "This runs every statement that {detail} makes: they drop or empty tables.",
    advice = "Print them to a file, and show them to the user.",
    suggestion = "psql -Atc 'SELECT tablename FROM pg_tables' shop",
    blocked = { [[psql -Atc "SELECT format('DROP TABLE %I CASCADE;', tablename) FROM pg_tables" shop | psql shop]], [[mysql -Ne "SELECT CONCAT('TRUNCATE ', table_name, ';') FROM information_schema.tables" shop | mysql shop]] },
    passes = { [[psql -Atc "SELECT format('DROP TABLE %I;', tablename) FROM pg_tables" shop > drops.sql]], [[psql -Atc "SELECT format('ANALYZE %I;', tablename) FROM pg_tables" shop | psql shop]] },
  },
  {
    id = "sql.every-loss",
    severity = "medium",
    level = "strict",
    on = "statement",
    looks_at = "statements: every DELETE and DROP",
    when = function(statement, scene)
      return (statement.verb == "DELETE" or statement.verb == "DROP") and what(statement)
    end,
    reason = "This deletes from {detail}.",
    advice = "Look at what would go first.",
    suggestion = 'psql -c "SELECT * FROM users WHERE id = 7"',
    blocked = { 'psql -c "DELETE FROM users WHERE id = 7"', 'psql -c "DROP FUNCTION total(int)"', 'mysql -e "DROP TEMPORARY TABLE scratch"' },
    passes = { 'psql -c "SELECT * FROM users"' },
  },
  {
    id = "sql.unknown",
    severity = "medium",
    level = "strict",
    on = "statement",
    looks_at = "statements that aren't understood or known",
    when = function(statement, scene)
      return not statement.verb
    end,
    reason = "This has a database run statements that can't be known before it runs.",
    advice = "Write the statement out.",
    suggestion = 'psql -c "SELECT 1"',
    blocked = { 'psql -c "$QUERY"' },
    passes = { 'psql -c "SELECT 1"' },
  },
} }
