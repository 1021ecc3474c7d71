-- Hosting: programs that run a user's applications. Each has its own words for the same thing.

local verbs = require("verbs")

local DELETE = [[delete|destroy|rm|remove|purge|terminate|erase|nuke]]
local COLON = [[\S+:(destroy|delete|remove|reset|unset|clear|killall|kill|stop|purge\S*|revoke|transfer|disable)|(destroy|delete|remove|unset)]]

-- The verbs of each; the words before them don't matter.
local VERBS = {}
for names, list in pairs({
  ["doctl"] = DELETE .. [[|delete-\S+|undeploy|d|del|rebuild|restore|garbage-collection|flush]],
  ["flyctl fly"] = DELETE .. [[|revoke|unset|detach|release|reset|destroy-\S+|dp|abort-build|prune-worker|clear-task-cache|pause-pipeline]],
  ["heroku"] = COLON .. [[|pg:copy|pg:backups:restore|container:rm|pg:push|addons:downgrade|apps:leave|addons:detach|apps:transfer]],
  ["vercel vc now"] = DELETE .. [[|del|move]],
  ["netlify ntl netlify-cli"] = COLON .. [[|deleteSite|deleteDeploy]],
  ["railway"] = DELETE .. [[|down|unset|detach]],
  ["render"] = DELETE,
  ["supabase"] = DELETE .. [[|reset|unset]],
  ["wrangler"] = DELETE .. [[|\S+:delete]],
  ["firebase firebase-tools"] = [[\S+:(delete|remove|disable|destroy|prune)|hosting:channel:delete|database:set]],
  ["eb"] = [[terminate]],
  ["xata upstash fauna fauna-shell ccloud nhost deta"] = DELETE .. [[|flush|reset|del|disrupt]],
  ["sam copilot amplify serverless sls sst cf pscale neonctl neon turso atlas mongocli cockroach confluent hasura convex appwrite koyeb platform upsun dokku aiven avn nomad shopify surge expo eas"] = DELETE .. [[|del|unset|\S+:(destroy|delete|remove|stop|unset|clear|disable|unlink|unmount|deactivate|restore)|(delete|remove|destroy|topic-delete|database-delete|user-delete|service-delete)([A-Z]\w*)?|\S+-(delete|terminate)|down|teardown]],
}) do
  for _, name in ipairs(text.split(names, " ")) do
    VERBS[name] = verbs.pattern(list)
  end
end

-- Verbs that take something offline, or replace it.
local STOPS = {}
for names, list in pairs({
  ["doctl"] = [[revoke|power-off|power-cycle|shutdown|reboot|password-reset]],
  ["flyctl fly"] = [[suspend|stop|kill|restart|cordon|failover]],
  ["heroku"] = [[ps:(stop|kill|restart)|pg:promote|pipelines:promote|maintenance:on|releases:rollback|rollback|access:update|apps:rename|restart]],
  ["vercel vc now"] = [[rollback|promote|redeploy|abort|disconnect|unlink-\S+]],
  ["supabase"] = [[pause|repair|squash]],
  ["render railway"] = [[restart|redeploy|cancel]],
  ["atlas sls serverless copilot pscale neonctl neon koyeb confluent"] = [[pause|rollback|restore|reset]],
  ["wrangler"] = [[rollback]],
  ["firebase"] = [[hosting:rollback|remoteconfig:rollback|ext:uninstall|extensions:uninstall|target:clear|functions:config:unset|auth:import|database:settings:set|dataconnect:sql:migrate]],
  ["eb"] = [[abort|restart]],
}) do
  for _, name in ipairs(text.split(names, " ")) do
    STOPS[name] = verbs.pattern(list)
  end
end

-- Programs that run one of these by its name: "yarn wrangler delete".
local RUNNERS = { yarn = true, pnpm = true, npm = true, bun = true }

local function names(patterns)
  local list = {}
  for name in pairs(patterns) do
    list[#list + 1] = name
  end
  table.sort(list)
  return list
end

local function with_runners(list)
  for name in pairs(RUNNERS) do
    list[#list + 1] = name
  end
  table.sort(list)
  return list
end

-- Commands of a program that only affect this machine.
local OWN = { auth = true, context = true, login = true, logout = true, config = true, completion = true }

-- What holds data, or is a whole application.
local KEEPS = patterns.later([[^(vercel|vc|now|copilot|amplify|serverless|sls|sst|sam|eb|dokku|shopify|surge|railway) (remove|rm|delete|destroy|terminate|down|app delete|env delete|apps:destroy|project delete)|[ :](apps?|pg|db|d1|r2 bucket|projects?|sites?|firestore|databases?|volumes?|droplets?|clusters?|postgres|addons|branch|branches|kv namespace|mpg|mysql|mariadb|mongo)[ :]\S]] ..
  [[|^\S+ (apps?|sites?|projects?):|^(heroku|fly|flyctl) destroy|^(fly|flyctl) (redis|storage) destroy|^turso groups? destroy|^(avn|aiven) service terminate|^confluent kafka topic delete|^(upstash|dokku) redis[ :](delete|destroy)]])

local function deleted(cmd)
  local name = cmd.name
  if RUNNERS[name] then
    local operands = cmd:operands()
    name = operands[1] == "run" and operands[2] or operands[1]
    if not VERBS[name] then
      return nil
    end
  end
  if cmd.name == "supabase" and cmd:operands()[1] == "db" and not cmd:flag("--linked", "--db-url") then
    return nil -- the database of this machine
  end
  local own = cmd.name ~= "flyctl" and cmd.name ~= "fly" and OWN or nil
  local found = verbs.find(cmd, VERBS[name], own)
  return found and cmd.name .. " " .. found
end

return {
  {
    id = "cloud.hosting",
    severity = "high",
    programs = with_runners(names(VERBS)),
    looks_at = "the first verb among the operands",
    when = deleted,
    always = function(cmd)
      local found = deleted(cmd)
      return found and KEEPS:match(found)
    end,
    always_for = names(VERBS),
    reason = "{detail} deletes what is online.",
    advice = "Look at it with list or status, and ask the user to delete it.",
    suggestion = "flyctl status",
    blocked = { "flyctl apps destroy shop", "doctl compute droplet delete 7", "heroku pg:reset --app shop", "vercel remove shop", "netlify sites:delete shop", "wrangler d1 delete shop", "supabase db reset --linked", "firebase firestore:delete --all-collections" },
    passes = { "flyctl status", "doctl compute droplet list", "heroku apps:info --app shop", "vercel ls", "netlify status", "wrangler dev", "heroku apps:destroy --help" },
  },
  {
    id = "cloud.hosting-stop",
    severity = "medium",
    programs = names(STOPS),
    looks_at = "the first verb among the operands",
    when = function(cmd)
      local found = verbs.find(cmd, STOPS[cmd.name], { login = true, auth = true, start = true })
      return found and cmd.name .. " " .. found
    end,
    reason = "{detail} takes something offline, or puts something else in its place.",
    advice = "Ask the user whether it may.",
    suggestion = "flyctl status",
    blocked = { "flyctl machine stop 7", "heroku maintenance:on --app shop", "vercel rollback", "doctl compute droplet-action power-off 7" },
    passes = { "flyctl machine list", "heroku ps --app shop", "vercel inspect shop" },
  },
  {
    id = "cloud.scale-to-nothing",
    severity = "medium",
    programs = { "heroku", "flyctl", "fly" },
    looks_at = "heroku ps:scale and fly scale with a count of 0",
    when = function(cmd)
      local operands = cmd:operands()
      local line = table.concat(operands, " ")
      return (re.match(line, [[^(ps:scale|scale|dyno:scale) .*=0\b]]) or re.match(line, [[^scale count (\S+ )*(\S+=)?0\b]])) and line or nil
    end,
    reason = "{detail} leaves nothing running.",
    advice = "Ask the user whether the service may go down.",
    suggestion = "flyctl scale show",
    blocked = { "heroku ps:scale web=0 --app shop", "fly scale count 0", "fly scale count worker=1 web=0" },
    passes = { "heroku ps:scale web=2 --app shop", "fly scale count 2" },
  },
}
