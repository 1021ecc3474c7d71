-- What a tool that isn't a shell does, by the words of its name: start_process, writeFile,
-- mcp__files__delete_file.

local set = require("set")

local tools = {}

local DELETES = set("delete deletes remove unlink trash rmdir rm destroy erase purge del wipe")
local WRITES = set("write edit create update move rename copy append insert replace patch apply save put set upload modify add make mkdir touch change overwrite restore mv cp " ..
  "insert str_replace symlink link install chmod download export generate format fix sync import extract unzip commit")
local READS = set("read reads get list search find stat info head tail view show tree glob grep cat describe exists count ls diff preview inspect analyze lookup check validate open query " ..
  "fetch load print status summarize outline metadata")

-- Servers and tools that pass SQL to a database.
local DATABASE = patterns.later([[^(sql.*|postgres.*|pg|psql|mysql.*|mariadb|sqlite.*|supabase|neon|duckdb|motherduck|bigquery|snowflake|clickhouse|redshift|athena|oracle|prisma|turso|libsql|]] ..
  [[planetscale|cockroach.*|databases?|db|dbhub|query|queries|statements?|execute|cassandra|cql|trino|presto|databricks|d1|mssql|alloydb|spanner|tidb|timescale|migrations?|warehouse|influx.*)$]])

-- The words of a name; those of the server of an MCP tool come first.
local function words_of(name)
  local spaced = name:gsub("(%l)(%u)", "%1 %2"):gsub("[^%w]+", " ")
  return text.split(text.trim(spaced:lower()), " ")
end

-- access returns what a call does to the files that it names.
function tools.access(call)
  if call.kind == "read" or call.kind == "search" then
    return "read"
  elseif call.kind == "edit" and call.input.command == "view" then
    return "read"
  end
  local name = call.kind == "mcp" and re.replace(call.name, "^mcp__.*?__", "") or call.host_name or call.name
  local writes, reads = call.kind == "write" or call.kind == "edit", false
  for _, word in ipairs(words_of(name)) do
    if DELETES[word] then
      return "delete"
    end
    writes, reads = writes or WRITES[word], reads or READS[word]
  end
  return reads and not writes and "read" or "write"
end

-- database reports whether a call passes SQL to a database, as far as its name says.
function tools.database(call)
  if call.kind ~= "mcp" and call.kind ~= "other" then
    return false
  end
  for _, word in ipairs(words_of(call.name)) do
    if DATABASE:match(word) then
      return true
    end
  end
  return false
end

return tools
