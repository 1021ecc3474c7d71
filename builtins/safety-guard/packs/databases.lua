-- Databases by their own programs, except SQL, which is in the core (rules/sql.lua).

local listed = require("later")("listed")
local request = require("request")
local stage = require("stage")
local verbs = require("verbs")

-- The commands of redis, in lower case, by how much they lose.
local REDIS_ALL = patterns.later([[^(flushall|flushdb|shutdown|debug|swapdb|failover|replicaof|slaveof|config (set|rewrite|resetstat)|script (flush|kill)|function (flush|delete)|cluster (reset|forget|failover|delslots\S*|flushslots|meet|replicate)|acl (deluser|setuser|load)|module (un)?load|client kill|migrate|restore|bgrewriteaof|slowlog reset|latency reset|ft\.dropindex|graph\.delete)\b]])
local REDIS_KEYS = patterns.later([[^(del|unlink|getdel|xtrim|ltrim|zremrangeby\S+|hdel|srem|zrem|lrem|xdel|xgroup destroy|move|sentinel (remove|reset|failover)|rename|p?expire \S+ -?\d$|p?expireat \S+ \d{1,9}$|spop|[lr]pop|b?[lr]m?pop|zpop(min|max)|json\.(del|forget|clear)|ts\.del|bf\.del|ft\.(aliasdel|dictdel)|sort .* store)(\s|$)]])
-- Those of them that leave nothing.
local REDIS_EMPTIES = patterns.later([[^(flushall|flushdb)\b]])
-- The calls of a redis script, in lower case.
local SCRIPT_ALL = patterns.later([=[\bp?call\s*\(\s*["'](flushall|flushdb|shutdown|config|debug)["']|\bp?call\s*\(\s*["']keys["']\s*,\s*["']\*["'].*["'](del|unlink)["']]=])
local SCRIPT_KEYS = patterns.later([=[\bp?call\s*\(\s*["'](del|unlink)["']]=])
local SCRIPT_EMPTIES = patterns.later([=[\bp?call\s*\(\s*["'](flushall|flushdb)["']|\bp?call\s*\(\s*["']keys["']\s*,\s*["']\*["'].*["'](del|unlink)["']]=])
local SCRIPTS = { [REDIS_ALL] = SCRIPT_ALL, [REDIS_EMPTIES] = SCRIPT_EMPTIES }
local TALKS = { nc = true, ncat = true, netcat = true, ["nc.openbsd"] = true, telnet = true } -- to any server
local REDIS = { "redis-cli", "valkey-cli", "keydb-cli", "dragonfly-cli", "iredis", "redli" }
local IS_REDIS = rules.set(table.concat(REDIS, " "))

-- redis returns a function that returns the first line sent by a redis program that matches a pattern.
local function redis(pattern)
  return function(cmd)
    if cmd:flag("--help", "--version") then
      return nil
    end
    if TALKS[cmd.name] then
      return cmd.input and pattern:find(text.trim(cmd.input.text):lower())
    end
    local cluster = cmd:flag("--cluster")
    if type(cluster) == "string" then
      return pattern == REDIS_ALL and re.match(cluster, "^(del-node|reshard|rebalance|fix|import|call)$") and "--cluster " .. cluster or nil
    end
    local operands = cmd:operands()
    if cmd.name == "heroku" then
      if operands[1] ~= "redis:cli" then
        return nil
      end
      operands = {}
    end
    if (operands[1] or ""):lower() == "eval" and operands[2] then
      return (SCRIPTS[pattern] or SCRIPT_KEYS):find(operands[2]:lower())
    elseif #operands > 0 then
      return pattern:find(table.concat(operands, " "):lower())
    elseif cmd.input then
      for _, line in ipairs(text.lines(cmd.input.text)) do
        local found = pattern:find(text.trim(line):lower())
        if found then
          return found
        end
      end
      return (SCRIPTS[pattern] or SCRIPT_KEYS):find(cmd.input.text:lower()) -- redis-cli --eval
    end
  end
end

-- scans reports whether redis-cli lists every key.
local function scans(source)
  if not IS_REDIS[source.name] then
    return nil
  end
  local pattern = source:flag("--pattern", "--quoted-pattern")
  local operands = source:operands()
  return source:flag("--scan") and (not pattern or pattern == "*") or (operands[1] or ""):lower() == "keys" and operands[2] == "*"
end

local MONGO_DROPS = { drop = true, dropDatabase = true, dropIndex = true, dropIndexes = true, dropUser = true, dropAllUsers = true, dropAllRoles = true, dropAllUsersFromDatabase = true, dropRole = true, dropAllRolesFromDatabase = true, shutdownServer = true, dropCollection = true, dropSearchIndex = true, removeShard = true, stepDown = true, fsyncLock = true, killOp = true }
local MONGO_ALL = { remove = true, deleteMany = true, findOneAndDelete = true, deleteOne = true, updateMany = true }

-- The commands that runCommand and adminCommand may be given.
local MONGO_COMMANDS = { drop = true, dropDatabase = true, dropIndexes = true, dropUser = true, dropAllUsersFromDatabase = true, dropRole = true, shutdown = true, convertToCapped = true }

-- Those that leave something, or make it anew at once.
local MONGO_PART = { updateMany = true, deleteOne = true, findOneAndDelete = true, dropIndex = true, dropIndexes = true, dropSearchIndex = true, convertToCapped = true, shutdown = true, shutdownServer = true }

-- Commands that are named by a text, and changes of all documents in a list of changes.
local MONGO_TEXT = patterns.later([=[(?:run|admin)Command\s*\(\s*["'`](dropDatabase|dropAllUsersFromDatabase|dropAllRolesFromDatabase|shutdown)["'`]|["']?(deleteMany|updateMany)["']?\s*:\s*\{\s*["']?filter["']?\s*:\s*\{\s*\}|["']?(deletes)["']?\s*:\s*\[\s*\{\s*["']?q["']?\s*:\s*\{\s*\}]=])

local function mongo(cmd)
  local eval = cmd:flag("--eval")
  for _, source in ipairs({ type(eval) == "string" and eval or "", cmd.input and cmd.input.text or "" }) do
    local whole, command, change, deletes = MONGO_TEXT:find(source)
    if whole then
      return command or change or deletes
    end
  end
  for _, method in ipairs(cmd:methods()) do
    if MONGO_DROPS[method.name] or MONGO_ALL[method.name] and method.bare then
      return method.name
    elseif (method.name == "runCommand" or method.name == "adminCommand") and MONGO_COMMANDS[method.key] then
      return method.key
    end
  end
end

-- What databases with HTTP interfaces are told to do with any method, and in what they are sent.
local HTTP_ACTS = patterns.later([[/_(?:delete|update)_by_query|/_flush_all|/_nodes/shutdown|/_close(\?|$)|/_rollover|/_shrink/|/_restore(\?|$)|/_cluster/reroute|/documents/delete|/points/delete|/api/v2/delete|/tasks/cancel|only_expunge_deletes=true|[?&]action=(?:DELETE|UNLOAD)\w*\b]])
local HTTP_SENT = patterns.later([[(?i)"(?:delete|remove_index)"\s*:\s*\{|<delete>|\b(?:drop|truncate)[\s+]+(?:table|database|measurement|series|user|retention|shard|view|dictionary)\b|\bdelete[\s+]+from\b|\balter[\s+]+table\s+\S+\s+(?:delete|drop)\b]])

local function http_delete(cmd)
  if not request.may_be_of_database(cmd) then
    return nil
  end
  local method = request.method(cmd)
  for _, to in ipairs(request.addresses(cmd)) do
    to.path = to.path:gsub("%%(%x%x)", function(hex)
      return string.char(tonumber(hex, 16))
    end)
    if request.of_database(to) and (method == "DELETE" or HTTP_ACTS:match(to.path) or method == "PUT" and text.contains(to.path, "/_cluster/settings")
      or HTTP_SENT:match(to.path) or request.changes(cmd) and HTTP_SENT:match(request.data(cmd))) then
      return to.text
    end
  end
end

local function any_of(list)
  return verbs.pattern(list)
end

-- Other stores, and the verbs that lose their data.
local GONE = [[deleteall|(delete|destroy|remove|purge|terminate|drop|wipe|erase)([-_]\S+)?|(delete|destroy|remove|drop|terminate)[A-Z]\w*|(Delete|Drop|Remove)[A-Z]\w*|rm|del|rmr]]
local OTHERS = {
  etcdctl = any_of([[del|rmdir|rm|remove|delete|revoke|compact(ion)?|move-leader|disable|restore]]),
  etcdutl = any_of([[restore]]),
  consul = any_of([[delete|destroy|force-leave|leave|remove-peer|deregister|restore]]),
  influx = any_of([[delete|remove]]),
  nodetool = any_of([[decommission|removenode|assassinate|clearsnapshot|drain|stopdaemon|truncatehints|resetlocalschema|disable\S+]]),
  rabbitmqctl = any_of([[reset|force_reset|stop_app|stop|shutdown|close_all_connections|forget_cluster_node|purge_queue|close_connection|force_boot|change_password|restart_vhost|cancel_sync_queue|(delete|clear|remove)_\S+]]),
  ["rabbitmq-plugins"] = any_of([[disable]]),
  ["rabbitmq-upgrade"] = any_of([[drain|revive]]),
  ["rabbitmq-queues"] = any_of([[(delete|shrink)\S*]]),
  rabbitmqadmin = any_of([[delete|purge|close]]),
  ["neo4j-admin"] = any_of([[drop|delete|load|restore]]),
  ["couchbase-cli"] = any_of([[bucket-(delete|flush)|failover|rebalance|collection-manage|server-remove|\S+-(delete|remove)]]),
  nats = any_of([[rm|rmm|delete|del|purge|seal|restore|step-down|peer-remove]]),
  rpk = any_of([[delete|decommission|trim-prefix]]),
  cockroach = any_of([[decommission|drain|quit]]),
  pgbackrest = any_of([[stanza-delete|expire|restore|stop]]),
  barman = any_of([[delete|recover|keep]]),
  ["wal-g"] = any_of([[delete|backup-fetch|\S+-fetch]]),
  patronictl = any_of([[remove|failover|switchover|reinit|restart|pause|flush|edit-config]]),
  repmgr = any_of([[promote|unregister|switchover|follow|rejoin]]),
  mysqlsh = any_of([[drop-metadata-schema|dissolve|remove-instance|force-\S+]]),
  tiup = any_of([[destroy|clean|stop|scale-in|prune|uninstall]]),
  databricks = any_of([[rm|permanent-delete|(delete|destroy|uninstall)(-\S+)?|cancel\S*|reset]]),
  snow = any_of([[drop|remove|delete|purge|abort|unpublish|teardown]]),
  temporal = any_of([[terminate|cancel|delete|reset|remove]]),
  artemis = any_of([[delete|purge|stop|kill]]),
  activemq = any_of([[purge|stop]]),
  rq = any_of([[empty]]),
  celery = any_of([[purge|shutdown|revoke|terminate|cancel_consumer|queue\.(purge|delete)]]),
  solr = any_of([[delete|stop]]),
  airflow = any_of([[reset|resetdb|delete|clean|clear|downgrade|pause]]),
  prefect = any_of([[delete|reset|cancel]]),
  dagster = any_of([[delete|wipe]]),
  mlflow = any_of([[delete|gc|delete-\S+]]),
  superset = any_of([[downgrade|reset-\S+]]),
  hdfs = any_of([[format|expunge|rollback|\S*deleteBlockPool]]),
  ["hbase"] = any_of([[clean]]),
  ["yb-admin"] = any_of([[delete_\S+|restore_\S+|remove_\S+|change_master_\S+]]),
  ["elasticsearch-users"] = any_of([[userdel]]),
  ["elasticsearch-node"] = any_of([[unsafe-bootstrap|detach-cluster|repurpose|override-version]]),
  ["elasticsearch-shard"] = any_of([[remove-corrupted-data]]),
  ["mosquitto_ctrl"] = any_of([[delete\S+|remove\S+|disable\S+]]),
  pachctl = any_of(GONE),
  ceph = any_of([[rm|remove|delete|purge|destroy|out|del|zap|fail]]),
  rbd = any_of([[rm|remove|purge|rollback]]),
  rados = any_of([[rm|purge|rmpool|cleanup]]),
  ["radosgw-admin"] = any_of([[rm|unlink|suspend|purge]]),
  gluster = any_of([[delete|stop|detach|remove-brick|reset|replace-brick]]),
  linstor = any_of([[delete|d|lost|restore]]),
}
for _, name in ipairs(text.split("kafkactl kaf kcctl nsc confluent-hub zkCli.sh zkcli zookeeper-shell zookeeper-shell.sh edgedb gel fauna xata upstash turso pd-ctl tikv-ctl yugabyted vtctlclient vtctldclient vtctl emqx_ctl emqx curator_cli opensearch-cli elasticsearch-plugin opensearch-plugin kibana-plugin logstash-plugin elasticsearch-keystore dragonfly qpid-config beanstool pulsarctl redpanda scylla sanity pocketbase strapi", " ")) do
  OTHERS[name] = any_of(GONE .. [[|reset|restore|clear|clean|truncate|tombstone|ctl-delete|kick|uninstall|wipe]])
end
local STORES = {}
for name in pairs(OTHERS) do
  STORES[#STORES + 1] = name
end
table.sort(STORES)

-- Of those the ones that leave nothing of something.
local EMPTIES = patterns.later([[^(consul kv delete|rabbitmqctl (force_)?reset|rabbitmqctl (purge_queue|delete_)|rabbitmqadmin (delete|purge)|influx bucket delete|neo4j-admin .*(drop|delete)|couchbase-cli bucket-|nats (stream|kv|object) (rm|purge|del)|rpk topic delete]] ..
  [[|celery (.* )?(purge|queue\.(purge|delete))$|airflow (db reset|resetdb)|prefect (server )?database reset|dagster .*wipe|wal-g delete everything|pgbackrest stanza-delete|rq empty|artemis .*(delete|purge)|activemq purge]] ..
  [[|ceph (osd pool|fs|fs volume|osd) (delete|rm|purge|destroy)|rbd (rm|remove|snap purge)|rados (purge|rmpool)|radosgw-admin (bucket|user) rm|gluster volume delete|linstor (resource-definition|rd|storage-pool|sp|volume-definition|vd) (delete|d)$)]])

-- Of those that delete between two times what has all of them: from the beginning of time.
local EVER = patterns.later([[^(1970-01-01|0001-01-01|1677-09-2|1900-01-01|2000-01-01)]])

local rules = {
  {
    id = "databases.redis-all",
    severity = "high",
    programs = { "redis-cli", "valkey-cli", "keydb-cli", "dragonfly-cli", "iredis", "redli", "heroku", "nc", "ncat", "netcat", "nc.openbsd", "telnet" },
    looks_at = "the command that redis-cli is given, as operands or on its standard input",
    when = redis(REDIS_ALL),
    always = redis(REDIS_EMPTIES),
    reason = "redis-cli {detail} empties, stops or turns over a whole server.",
    advice = "Look at it first, and ask the user to run it.",
    suggestion = "redis-cli DBSIZE",
    blocked = { "redis-cli FLUSHALL", "redis-cli -h cache -n 2 flushdb", "echo FLUSHALL | redis-cli", "redis-cli CONFIG SET maxmemory 1", "redis-cli shutdown nosave" },
    passes = { "redis-cli INFO", "redis-cli GET flushall", "redis-cli CONFIG GET maxmemory", "redis-cli SET debug 1" },
  },
  {
    id = "databases.redis-keys",
    severity = "medium",
    programs = REDIS,
    looks_at = "the command that redis-cli is given, as operands or on its standard input",
    when = redis(REDIS_KEYS),
    reason = "redis-cli {detail} deletes keys; there is no way back.",
    always = function(cmd) -- all that a scan without a pattern lists
      return listed.all(cmd, scans)
    end,
    advice = "Show the user the keys, and their number.",
    suggestion = "redis-cli --scan --pattern 'session:*'",
    blocked = { "redis-cli DEL cart:7", "redis-cli --scan --pattern 'a:*' | xargs redis-cli unlink" },
    passes = { "redis-cli GET cart:7", "redis-cli KEYS 'del*'", "redis-cli EXPIRE cart:7 60" },
  },
  {
    id = "databases.mongo",
    severity = "high",
    programs = { "mongosh", "mongo" },
    looks_at = "the methods that mongosh is asked to call",
    when = mongo,
    always = function(cmd)
      return not MONGO_PART[mongo(cmd)] and not stage.for_tests(cmd) and not stage.is_test(cmd:operands()[1] or "")
    end,
    reason = "{detail} deletes a whole collection or database, or changes all that is in it.",
    advice = "Give it a filter, or ask the user.",
    suggestion = "mongosh shop --eval 'db.orders.countDocuments()'",
    blocked = { "mongosh shop --eval 'db.dropDatabase()'", "mongosh --eval 'db.orders.deleteMany({})'", "mongosh --eval 'db.runCommand({drop: \"orders\"})'", "mongo shop <<'EOF'\ndb.orders.drop()\nEOF" },
    passes = { "mongosh --eval 'db.orders.deleteMany({year: 2019})'", "mongosh --eval 'db.orders.find({note: \"drop()\"})'", "mongosh shop" },
  },
  {
    id = "databases.restore",
    severity = "high",
    programs = { "mongorestore", "mongoimport", "pg_restore" },
    looks_at = "mongorestore --drop; pg_restore --clean",
    when = function(cmd)
      local clean = cmd.name == "pg_restore" and cmd:flag("-c", "--clean") or cmd.name ~= "pg_restore" and cmd:flag("--drop")
      return clean and not verbs.idle(cmd) and not (cmd.name == "pg_restore" and cmd:flag("-l", "--list")) and cmd.name
    end,
    always = function(cmd) -- a database that isn't on this machine
      local address = cmd:flag("--uri", "--host", "-h", "-d", "--dbname")
      return type(address) == "string" and address:find("[:.$]") ~= nil and not re.match(address, [[localhost|127\.0\.0\.1|(?i)test|dev]])
    end,
    reason = "{detail} deletes what is there before it reads the copy in.",
    advice = "Restore into a new, empty database.",
    suggestion = "pg_restore -d shop_copy shop.dump",
    blocked = { "pg_restore --clean -d shop shop.dump", "mongorestore --drop dump" },
    passes = { "pg_restore -d shop_copy shop.dump", "mongorestore dump" },
  },
  {
    id = "databases.dump-clean",
    severity = "medium",
    programs = { "pg_dump", "pg_dumpall", "mysqldump", "mariadb-dump" },
    looks_at = "pg_dump --clean, mysqldump --add-drop-database",
    when = function(cmd)
      local clean
      if text.starts_with(cmd.name, "pg_") then
        clean = cmd:flag("-c", "--clean")
      else
        clean = cmd:flag("--add-drop-database", "--add-drop-table", "--add-drop-user")
      end
      return clean and not cmd:flag("--help") and cmd.name or nil
    end,
    reason = "The dump that {detail} writes deletes what is in the database that reads it.",
    advice = "Leave the option out.",
    suggestion = "pg_dump shop -f shop.sql",
    blocked = { "pg_dump -c shop -f shop.sql", "pg_dumpall --clean", "mysqldump --add-drop-database shop -r shop.sql" },
    passes = { "pg_dump shop -f shop.sql", "pg_dump -C shop", "mysqldump shop -r shop.sql" },
  },
  {
    id = "databases.mysqladmin",
    severity = "high",
    programs = { "mysqladmin", "mariadb-admin" },
    looks_at = "the operands of mysqladmin",
    when = function(cmd)
      for _, word in ipairs(cmd:operands()) do
        if re.match(word, [[^(drop|shutdown|kill|flush-\S+|password|old-password|refresh|reload|stop-slave|stop-replica)$]]) then
          return not cmd:flag("--help") and word or nil
        end
      end
    end,
    reason = "mysqladmin {detail} deletes a database, or disturbs everyone who uses the server.",
    advice = "Look at it with status or processlist, and ask the user.",
    suggestion = "mysqladmin status",
    blocked = { "mysqladmin --force drop shop", "mysqladmin -u root -p shutdown", "mysqladmin flush-hosts" },
    passes = { "mysqladmin status", "mysqladmin -h drop ping", "mysqladmin processlist" },
  },
  {
    id = "databases.drop",
    severity = "high",
    programs = { "dropdb", "dropuser", "pg_dropcluster", "pg_resetwal" },
    looks_at = "the name of the program",
    when = function(cmd)
      return not cmd:flag("--help", "-?", "--version", "-V", "-n", "--dry-run") and cmd.name
    end,
    always = true,
    always_for = { "pg_dropcluster", "pg_resetwal" },
    reason = "{detail} deletes a database or a user of it.",
    advice = "Make a copy with pg_dump, and ask the user to delete it.",
    suggestion = "pg_dump shop -f shop.sql",
    blocked = { "dropuser kim", "pg_dropcluster 15 main" },
    passes = { "createdb shop_test", "dropuser --help" },
  },
  {
    id = "databases.stop",
    severity = "medium",
    programs = { "pg_ctl", "pg_ctlcluster", "initdb", "pg_rewind" },
    looks_at = "pg_ctl stop and the like",
    when = { words = { "stop", "restart", "kill", "promote", "* * stop", "* * restart", "* * promote" }, unless = { "--help" } },
    reason = "{detail} ends the work of everyone who uses this database server.",
    advice = "Ask the user whether anybody does.",
    suggestion = "pg_ctl status -D data",
    blocked = { "pg_ctl stop -D data -m immediate", "pg_ctlcluster 15 main stop" },
    passes = { "pg_ctl status -D data", "pg_ctl start -D data" },
  },
  {
    id = "databases.http",
    severity = "medium",
    programs = request.programs,
    looks_at = "a DELETE that is sent to a database over HTTP",
    when = http_delete,
    always = true,
    reason = "This deletes what a search or document database keeps ({detail}).",
    advice = "Look at it first, and ask the user to delete it.",
    suggestion = "curl localhost:9200/_cat/indices",
    blocked = { "curl -X DELETE localhost:9200/orders", "curl -XDELETE 'http://search:9200/_all'", "curl -X POST 'localhost:9200/orders/_delete_by_query' -d @q.json" },
    passes = { "curl localhost:9200/_cat/indices", "curl -X DELETE http://localhost:8080/api/orders/7", "curl -X POST localhost:9200/orders/_search -d @q.json" },
  },
  {
    id = "databases.stores",
    severity = "high",
    programs = STORES,
    looks_at = "the first verb among the operands",
    when = function(cmd)
      local found = verbs.find(cmd, OTHERS[cmd.name])
      return found and cmd.name .. " " .. found
    end,
    always = function(cmd)
      if cmd.name == "influx" and cmd:subcommand() == "delete" then
        local start = cmd:flag("--start")
        return type(start) == "string" and EVER:match(start) and not cmd:flag("-p", "--predicate")
      end
      return cmd.name == "barman" and cmd:subcommand() == "delete" and cmd:operands()[3] == "all" or cmd.name == "etcdctl" and cmd:flag("--prefix", "--from-key", "--recursive") ~= false or EMPTIES:match(cmd.name .. " " .. (verbs.find(cmd, OTHERS[cmd.name]) or ""))
    end,
    reason = "{detail} deletes what is kept there, or stops it.",
    advice = "Look at it first, and ask the user to run it.",
    suggestion = "etcdctl get /shop --prefix",
    blocked = { "etcdctl del /shop --prefix", "consul kv delete -recurse shop", "rabbitmqctl purge_queue orders", "influx bucket delete -n shop", "nodetool decommission" },
    passes = { "etcdctl get /shop --prefix", "consul kv get shop", "rabbitmqctl list_queues", "nodetool status" },
  },
  {
    id = "databases.kafka",
    severity = "high",
    programs = { "kafka-configs", "kafka-configs.sh", "kafka-topics", "kafka-topics.sh", "kafka-consumer-groups", "kafka-consumer-groups.sh", "kafka-delete-records", "kafka-delete-records.sh", "kafka-acls", "kafka-acls.sh", "kafka-streams-application-reset", "kafka-streams-application-reset.sh", "kafka-storage", "kafka-storage.sh", "kafka-reassign-partitions", "kafka-reassign-partitions.sh", "kafka-leader-election", "kafka-leader-election.sh", "kafka-server-stop", "kafka-server-stop.sh", "zookeeper-server-stop", "zookeeper-server-stop.sh" },
    looks_at = "--delete and --reset-offsets",
    when = function(cmd)
      local deletes = cmd:flag("--delete", "--remove", "--delete-offsets", "--delete-config") or cmd:flag("--reset-offsets") and cmd:flag("--execute") or cmd:flag("--reassignment-json-file") and cmd:flag("--execute") or re.match(tostring(cmd:flag("--election-type")), "(?i)^unclean$") or re.match(tostring(cmd:flag("--add-config")), [[(?i)retention\.(ms|bytes)=-?\d{1,4}(,|$)]])
        or re.match(cmd.name, "delete-records|application-reset|server-stop") or text.contains(cmd.name, "kafka-storage") and cmd:subcommand() == "format"
      return deletes and not cmd:flag("--help") and cmd.name or nil
    end,
    always = true,
    reason = "This deletes messages for all who read them, or turns over how they are kept ({detail}).",
    advice = "Look at it with --describe, and ask the user.",
    suggestion = "kafka-topics.sh --describe --topic orders",
    blocked = { "kafka-topics.sh --delete --topic orders", "kafka-consumer-groups --group g --reset-offsets --to-latest --execute" },
    passes = { "kafka-topics.sh --list", "kafka-consumer-groups --group g --reset-offsets --to-latest --dry-run" },
  },
}

for _, rule in ipairs(require("packs.databases_programs")) do
  rules[#rules + 1] = rule
end

for _, rule in ipairs(require("packs.databases_server")) do
  rules[#rules + 1] = rule
end

for _, rule in ipairs(require("packs.databases_migrations")) do
  rules[#rules + 1] = rule
end

for _, rule in ipairs(rules) do
  rule.remote = true -- a database in a container is one, too
end

return { class = "databases", title = "Databases", rules = rules }
