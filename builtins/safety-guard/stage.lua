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
