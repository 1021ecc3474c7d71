-- Whether a command is about a database, or containers, that are made for tests, and made anew all the time.

local stage = {}

local NAMES = { "RAILS_ENV", "RACK_ENV", "APP_ENV", "NODE_ENV", "MIX_ENV", "DJANGO_ENV", "FLASK_ENV", "ENV", "ENVIRONMENT", "DJANGO_SETTINGS_MODULE" }

-- A word of a name, such as shop_test, test.env or settings.testing.
local TEST = patterns.later([[(?i)(^|[^a-z])(e2e|tests?|testing|ci)([^a-z]|$)]])

-- An address of a database that is gone with the program, or that is for tests by its name.
local ADDRESS = patterns.later([[(?i):memory:|^sqlite3?:/*$|[/_.-](e2e|tests?|testing)([_.?-]|$)]])

-- An address that says it is no database for tests, or that lies at another machine with a domain.
local REAL = patterns.later([[(?i)^[a-z0-9+]+://(?:[^/@]*@)?(?:[^/?]*\b(?:prod(?:uction)?|live)\b|[^/:?]*\.[a-z]{2,}(?:[:/?]|$))|/[^/]*prod(?:uction)?\b[^/]*$]])
local HERE = patterns.later([[(?i)@?(?:localhost|127\.0\.0\.1|[^/@:]*\.(?:local|localhost|test|internal))(?:[:/?]|$)]])

-- A name that says so less clearly than another word in it says the opposite.
local OF_PRODUCTION = patterns.later([[(?i)prod|live]])

-- The database in an address: postgres://host/shop_test?x=y, or dbname=shop_test.
local IN_ADDRESS = patterns.later([[^[a-z0-9+]+://[^/?]*/([^?/]+)]])
local IN_SETTINGS = patterns.later([[(?:^|\s)dbname=(\S+)]])

-- The option by which clients of a server are told their database, unless it is the first operand.
local CLIENTS = { psql = { "-d", "--dbname" }, mysql = { "-D", "--database" }, mariadb = { "-D", "--database" }, mycli = { "-D", "--database" }, pgcli = { "-d", "--dbname" } }
local FILES = rules.set("sqlite3 duckdb")

-- What connects a client to another database.
local CONNECTS = patterns.later([[\\c(onnect)?\b]])

-- database_for_tests reports whether a client works on a database whose name says that it is for tests.
function stage.database_for_tests(cmd)
  local name
  if FILES[cmd.name or ""] then
    name = path.base(cmd:operands()[1] or "")
  elseif CLIENTS[cmd.name or ""] then
    local value = cmd:flag(unpack(CLIENTS[cmd.name]))
    name = type(value) == "string" and value or value == false and cmd:operands()[1] or cmd.env.PGDATABASE or ""
    local inside = IN_ADDRESS:captures(name) or IN_SETTINGS:captures(name)
    name = inside and inside[1] or name
  end
  if not name or name:find("[$`*?]") or CONNECTS:match(table.concat(cmd.args, " ")) or cmd.input and CONNECTS:match(cmd.input.text or "") then
    return false
  end
  return stage.named_for_tests(name)
end

-- named_for_tests reports whether the name of a database says that it is for tests, and nothing in it says otherwise.
function stage.named_for_tests(name)
  return TEST:match(name) and not OF_PRODUCTION:match(name)
end

-- is_test reports whether a name says that it is for tests.
function stage.is_test(name)
  return TEST:match(name)
end

-- for_tests reports whether the environment of a command, or of what runs it, says so.
function stage.for_tests(cmd)
  while cmd do
    local env = cmd.env
    if next(env) then
      local url = env.DATABASE_URL
      if url and not ADDRESS:match(url) and REAL:match(url) and not HERE:match(url) then
        return false
      end
      for _, name in ipairs(NAMES) do
        if env[name] and TEST:match(env[name]) then
          return true
        end
      end
      if env.DATABASE_URL and ADDRESS:match(env.DATABASE_URL) then
        return true
      end
    end
    cmd = cmd.parent
  end
  return false
end

return stage
