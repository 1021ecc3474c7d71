-- Programs of databases and of what holds data, of which the name or an option says what they lose.

local stage = require("stage")
local verbs = require("verbs")

-- By program: options without which nothing is lost.
local OPTIONS = {
  mysqlimport = { "--delete", "--replace", "-d", "-r" }, ["mariadb-import"] = { "--delete", "--replace" },
  xtrabackup = { "--copy-back", "--move-back" }, mariabackup = { "--copy-back", "--move-back" }, innobackupex = { "--copy-back", "--move-back" },
  ["pt-archiver"] = { "--purge" }, ["pt-kill"] = { "--kill", "--kill-query" }, ["pt-online-schema-change"] = { "--execute" }, ["gh-ost"] = { "--execute" },
  sqldef = { "--enable-drop-table", "--enable-drop" }, mysqldef = { "--enable-drop-table", "--enable-drop" }, psqldef = { "--enable-drop-table", "--enable-drop" }, sqlite3def = { "--enable-drop-table", "--enable-drop" },
  vacuumdb = { "--full", "-f" }, pg_upgrade = { "--link", "-k" },
  dbt = { "--full-refresh" }, ["orchestrator-client"] = { "force-master-failover", "force-master-takeover" },
  gearadmin = { "--drop-function", "--shutdown" }, skeema = { "--allow-unsafe" },
}
-- Programs that do nothing else.
local ALWAYS = { memcflush = true, memrm = true, pg_archivecleanup = true, pg_rewind = true, mysql_install_db = true }
-- Jobs of a cluster.
local JOBS = { scancel = true, qdel = true, bkill = true, condor_rm = true }

local names = {}
for _, list in ipairs({ OPTIONS, ALWAYS, JOBS }) do
  for name in pairs(list) do
    names[name] = true
  end
end
local PROGRAMS = { "hadoop", "hdfs", "yarn", "mapred", "oozie", "nc", "ncat", "netcat", "telnet", "influxd", "dvc", "sqlite-utils" }
for name in pairs(names) do
  PROGRAMS[#PROGRAMS + 1] = name
end
table.sort(PROGRAMS)

-- Commands of memcached, redis and zookeeper for a plain connection.
local SPOKEN = patterns.later([[(?im)^\s*(?:flush_all|flushall|flushdb|shutdown(?:\s+nosave)?|config\s+set\s.*|del\s+\S.*|unlink\s+\S.*|delete\s+\S+)\s*$]])

-- The words that cypher has for deleting.
local CYPHER = patterns.later([[(?i)\b(?:detach\s+delete|drop\s+(?:database|index|constraint|user|role)|delete\s+\w+|remove\s+\w+[.:])]])
local SURREAL = patterns.later([[(?i)\b(?:remove\s+(?:database|namespace|table|index|field|user)|delete\s+\w+\s*(?:;|$))]])
-- What of them leaves nothing of something.
local CYPHER_ALL = patterns.later([=[(?i)\bmatch\s*\(\s*\w+\s*(?::\s*\w+\s*)?\)\s*(?:-\s*\[[^\]]*\]\s*->?\s*\(\s*\w*\s*\)\s*)?(?:with\s+\w+\s+(?:limit\s+\d+\s+)?)?(?:call\s*(?:\(\w*\)\s*)?\{[^}]*?)?(?:detach\s+)?delete\b|\bdrop\s+database\b]=])
local SURREAL_ALL = patterns.later([[(?i)\bremove\s+(?:database|namespace|table)\b|\bdelete\s+(?:from\s+)?\w+\s*(?:;|$)]])
local ARANGO = patterns.later([[\b_?(?:drop|dropDatabase|truncate|_dropDatabase)\s*\(]])

local function found_in(cmd, pattern, options)
  for _, word in ipairs(cmd:operands()) do
    local found = pattern:find(word)
    if found then
      return found
    end
  end
  for _, name in ipairs(options or {}) do
    local value = cmd:flag(name)
    local found = type(value) == "string" and pattern:find(value)
    if found then
      return found
    end
  end
  return cmd.input and pattern:find(cmd.input.text) or nil
end

-- A port of redis or memcached behind a file of the shell that is a connection.
local CONNECTION = patterns.later([[^/dev/tcp/[^/]+/(?:6379|6380|11211)$]])

return {
  {
    id = "databases.connection",
    severity = "high",
    on = "file",
    about = "device",
    looks_at = "what echo and printf write to /dev/tcp",
    when = function(file)
      local cmd = file.cmd
      if cmd and CONNECTION:match(file.path) and (cmd.name == "echo" or cmd.name == "printf") then
        local spoken = SPOKEN:find((table.concat(cmd.args, " "):gsub("%\\[rn]", "\n")))
        return spoken and text.trim(spoken) or nil
      end
    end,
    reason = "{detail} deletes what is kept there.",
    advice = "Look at it first, and ask the user to run it.",
    suggestion = "redis-cli DBSIZE",
    blocked = { "echo FLUSHALL > /dev/tcp/localhost/6379" },
    passes = { "echo PING > /dev/tcp/localhost/6379" },
  },
  {
    id = "databases.programs",
    severity = "medium",
    programs = PROGRAMS,
    looks_at = "the name of the program, and the options that make it lose something",
    when = function(cmd)
      local name, o = cmd.name, cmd:operands()
      if verbs.idle(cmd) or cmd:flag("--version") then
        return nil
      elseif name == "hadoop" or name == "hdfs" then
        return cmd:flag("-rm", "-rmr", "-rmdir", "-expunge", "-delete", "-deleteBlockPool", "-format") and name .. " " .. (o[1] or "") .. " -rm" or nil
      elseif name == "yarn" or name == "mapred" or name == "oozie" then
        for _, word in ipairs(cmd.args) do
          if word == "-kill" then
            return (o[1] == "application" or o[1] == "app" or o[1] == "job" or name == "oozie") and name .. " -kill" or nil
          end
        end
        return nil
      elseif name == "nc" or name == "ncat" or name == "netcat" or name == "telnet" then
        local port = o[#o]
        local spoken = (port == "11211" or port == "6379" or port == "6380") and cmd.input and SPOKEN:find(cmd.input.text)
        return spoken and text.trim(spoken) or nil
      elseif name == "sqlite-utils" then
        return o[1] == "drop-table" and o[2] ~= ":memory:" and not stage.is_test(path.base(o[2] or "")) and "sqlite-utils drop-table" or nil
      elseif name == "influxd" then
        return o[1] == "restore" and "influxd restore" or nil
      elseif name == "dvc" then
        return (o[1] == "gc" or o[1] == "destroy") and "dvc " .. o[1] or nil
      elseif OPTIONS[name] then
        if name == "pt-online-schema-change" or name == "gh-ost" then
          return cmd:flag("--execute") and re.match(tostring(cmd:flag("--alter")), [[(?i)\bdrop\b]]) and name .. " DROP" or nil
        elseif name == "dbt" and not (o[1] == "run" or o[1] == "build" or o[1] == "seed" or o[1] == "snapshot") then
          return nil
        elseif name == "orchestrator-client" then
          return re.match(tostring(cmd:flag("-c")), "^(force|graceful)-master|^relocate") and name or nil
        end
        return cmd:flag(unpack(OPTIONS[name])) ~= false and name or nil
      end
      return (ALWAYS[name] or JOBS[name]) and #cmd.args > 0 and name or nil
    end,
    always = function(cmd)
      return cmd.name ~= "dvc" or not cmd:flag("--dry") and (cmd:operands()[1] == "destroy" or cmd:flag("-f", "--force") ~= false)
    end,
    always_for = { "dvc", "sqldef", "mysqldef", "psqldef", "sqlite3def", "skeema", "sqlite-utils" },
    reason = "{detail} deletes data, or takes the place of what is there.",
    advice = "Look at it first, and ask the user to run it.",
    suggestion = "hdfs dfs -ls /shop",
    blocked = { "hdfs dfs -rm -r /shop", "mysqlimport --delete shop orders.txt", "echo flush_all | nc localhost 11211", "pt-archiver --purge --source h=db --where 1=1", "memcflush --servers=cache", "dbt run --full-refresh" },
    passes = { "hdfs dfs -ls /shop", "mysqlimport shop orders.txt", "echo stats | nc localhost 11211", "dbt run", "pt-archiver --source h=db --dest h=old --where 1=1" },
  },
  {
    id = "databases.graph",
    severity = "high",
    programs = { "cypher-shell", "surreal", "arangosh", "cbq" },
    looks_at = "the text that they are given, and their standard input",
    always = function(cmd) -- all that is there, or a whole database
      return cmd.name == "cypher-shell" and found_in(cmd, CYPHER_ALL) or cmd.name == "surreal" and found_in(cmd, SURREAL_ALL, { "-s", "--script" })
        or cmd.name == "arangosh" and found_in(cmd, ARANGO, { "--javascript.execute-string" })
    end,
    always_for = { "cypher-shell", "surreal", "arangosh" },
    when = function(cmd)
      if cmd:flag("--help", "--version") then
        return nil
      elseif cmd.name == "cypher-shell" then
        return found_in(cmd, CYPHER)
      elseif cmd.name == "arangosh" then
        return found_in(cmd, ARANGO, { "--javascript.execute-string" })
      end
      return found_in(cmd, SURREAL, { "-s", "--script" })
    end,
    reason = "{detail} deletes what is kept there.",
    advice = "Count what it would delete, and ask the user to run it.",
    suggestion = "cypher-shell 'MATCH (n) RETURN count(n)'",
    blocked = { "cypher-shell 'MATCH (n) DETACH DELETE n'", "echo 'REMOVE TABLE orders;' | surreal sql --ns shop", "arangosh --javascript.execute-string 'db._drop(\"orders\")'" },
    passes = { "cypher-shell 'MATCH (n) RETURN count(n)'", "echo 'SELECT * FROM orders;' | surreal sql --ns shop" },
  },
}
