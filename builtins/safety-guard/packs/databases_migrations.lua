-- Programs that make and change the tables of an application: commands that drop them all, and commands that
-- undo migrations.


local stage = require("stage")
local verbs = require("verbs")

-- By program: commands that lose everything, and commands that lose some of it.
local ALL, SOME = {}, {}
local function add(names, all, some)
  for _, name in ipairs(text.split(names, " ")) do
    ALL[name] = all and patterns.later("^(?:" .. all .. ")(?: |$)")
    SOME[name] = some and patterns.later("^(?:" .. some .. ")(?: |$)")
  end
end

add("prisma keystone zenstack zen", [[(prisma )?migrate reset]], [[db push|db execute|migrate resolve --rolled-back]])
add("rw redwood cedar blitz", [[prisma migrate reset]], [[prisma db (push|execute)]])
add("wasp encore", [[db reset]])
add("typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm", [[schema:drop]], [[schema:sync|migration:revert]])
add("sequelize sequelize-cli", [[db:drop|db:migrate:undo:all|db:seed:undo:all]], [[db:migrate:undo|db:seed:undo]])
add("knex", nil, [[migrate:rollback|migrate:down]])
add("drizzle-kit", [[drop]], [[push]])
add("mikro-orm", [[schema:drop|schema:fresh|migration:fresh|database:drop]], [[migration:down|schema:update]])
add("rails rake gitlab-rake", [[(db|\w+):(drop|reset|purge|truncate_all)(:\S+)?|db:migrate:reset(:\S+)?|db:migrate(:\S+)? VERSION=0|db:seed:replant|db:(schema|structure):load(:\S+)?]], [[db:rollback(:\S+)?|db:migrate:(down|redo)(:\S+)?]])
add("artisan spark ace", [[migrate:(fresh|refresh|reset)|migration:(fresh|refresh|reset)|db:wipe]], [[(migrate|migration):rollback|(queue|horizon|telescope):(flush|clear|purge|prune)|scout:(flush|delete-\S+)|model:prune|passport:purge|backup:clean|schema:dump --prune|down]])
add("console symfony", [[doctrine:(database|schema):drop|doctrine:mongodb:(schema:drop|fixtures:load)|d:d:d|d:s:d|doctrine:fixtures:load|d:f:l|hautelook:fixtures:load|doctrine:migrations:migrate (first|0)]], [[doctrine:schema:update|d:s:u|doctrine:migrations:migrate prev|doctrine:migrations:execute|messenger:failed:remove|doctrine:cache:clear-\S+]])
add("manage.py django-admin django", [[flush|reset_db|reset_schema|migrate \S+ zero]], [[delete_\S+|clearsessions|remove_stale_contenttypes|clear_index|rebuild_index|truncate_\S+|clear_cache|purge_\S+|drop_\S+]])
add("alembic", [[downgrade base]], [[downgrade|stamp --purge]])
add("supabase", [[db reset]])
add("flask", [[db downgrade base|drop-db|db drop|initdb --drop]], [[db downgrade]])
add("mix", [[(do (\S+ )*)?((ecto|event_store)\.(drop|reset)|ash\.(reset|tear_down)),?]], [[(do (\S+ )*)?ecto\.rollback,?]])
add("dotnet dotnet-ef", [[((dotnet-)?ef )?database (drop|update 0)]], [[((dotnet-)?ef )?migrations remove]])
add("flyway", [[clean]], [[undo|repair]])
add("mvn mvnw", [[(\S+ )*(flyway:clean|liquibase:dropAll)]], [[(\S+ )*(flyway:undo|liquibase:rollback\S*)]])
add("gradle gradlew", [[(\S+ )*(:?\S*:)?(flywayClean|dropAll)]], [[(\S+ )*(:?\S*:)?(flywayUndo|rollback\S*)]])
add("liquibase", [[dropAll|drop-all]], [[rollback(-to-date|ToDate|-count|Count|-one-\S+|One\S+)?|clear-checksums|clearCheckSums]])
add("migrate", [[drop|down]], [[goto|force]])
add("goose", [[(\S+ )*reset|(\S+ )*down-to 0]], [[(\S+ )*(down|down-to|redo)]])
add("dbmate", [[drop]], [[down|rollback]])
add("atlas", [[schema clean]], [[schema apply]])
add("sqlx cargo-sqlx", [[(database|db) (drop|reset)]], [[migrate revert]])
add("cargo", [[sqlx (database|db) (drop|reset)]], [[sqlx migrate revert]])
add("diesel", [[(database|db) (drop|reset)]], [[migration (revert|redo)]])
add("sea-orm-cli", [[migrate (fresh|reset|refresh)]], [[migrate down]])
add("sqitch", nil, [[revert|rebase]])
add("wp", [[db (reset|drop|clean)|site (empty|delete)|core multisite-delete]], [[search-replace|db import|(post|user|plugin|theme|option|term|comment|menu|widget|role|cap|media|post-type|taxonomy) (delete|uninstall|remove|spam|trash)|transient delete --all|(plugin|theme) deactivate --all|core download --force|cache flush]])
add("drush", [[sql[:-]drop|site[:-]install|si]], [[entity:delete|pm[:-]uninstall|pmu|sql[:-]sync|user:cancel|config:import|cim|config:delete|watchdog:delete]])
add("phinx", nil, [[rollback]])
add("yii", [[migrate/fresh|migrate/down all|migrate/to (0|m000000_000000_base)]], [[migrate/(down|redo)]])
add("craft", [[db/drop-all-tables]])
add("piccolo", [[migrations backwards \S+ all]], [[migrations backwards]])
add("kysely", nil, [[migrate[: ](rollback|down)]])
add("odoo odoo-bin", [[db drop]])
add("bench", [[drop-site|reinstall]])
add("hanami", [[db (drop|reset)]], [[db rollback]])
add("payload", [[migrate:(fresh|reset|refresh)]], [[migrate:down]])
add("ace", [[migration:(fresh|refresh|reset)|db:(wipe|truncate)]], [[migration:rollback]])
add("migrate-mongo node-pg-migrate aerich yoyo micrate", nil, [[down|rollback|downgrade]])
add("db-migrate", [[reset]], [[down]])
add("graphile-migrate", [[reset]])
add("hasura", [[metadata clear|migrate (apply all|delete)]], [[metadata drop-inconsistency]])
add("soda buffalo bee lucky amber", [[(pop |db )?(drop|reset)|db[.:](drop|reset)|migrate reset]], [[(pop )?migrate down|migrate rollback]])
add("geni", nil, [[migrate:rollback]])
add("lein clj clojure", [[(\S+ )*reset]], [[(\S+ )*(rollback|down)]])
add("pgroll reshape", nil, [[rollback|complete|(migration )?(abort|complete)|migrate]])
add("sqlmesh", [[destroy]], [[invalidate|rollback|janitor]])
add("ghost", [[uninstall]])
add("medusa", [[db:(drop|rollback)]])
add("magento n98-magerun2 n98-magerun", [[setup:uninstall|db:drop|module:uninstall]], [[setup:rollback|db:import]])
add("cake", nil, [[migrations rollback]])
add("doctrine doctrine-migrations", [[orm:schema-tool:drop|(migrations:)?migrate (first|0)]], [[orm:schema-tool:update|(migrations:)?migrate prev]])
add("convex", nil, [[env remove|data delete]])
add("strapi", nil, [[import|transfer]])
add("occ", [[user:delete|group:delete|app:remove|files:cleanup|trashbin:cleanup]], [[maintenance:mode --on|app:disable|versions:cleanup]])

-- Programs that run one of these by its name: the words that may precede it.
local RUNNERS = { yarn = true, npm = true, pnpm = true, bun = true, composer = true }
local LANGUAGES = { deno = true, python = true, python3 = true, php = true, node = true, ruby = true, symfony = true, py = true, sail = true, spring = true, ["ts-node"] = true, tsx = true }

local PROGRAMS = { "deno", "sail", "spring", "yarn", "npm", "pnpm", "bun", "composer" }
local LASTING = { "sail", "spring", "yarn", "pnpm", "deno" } -- npm runs no program by its bare name
local INTERPRETERS = { "ts-node", "tsx", "python", "python3", "php", "node", "ruby", "py" }
local seen = {}
for _, patterns in ipairs({ ALL, SOME }) do
  for name in pairs(patterns) do
    seen[name] = true
  end
end
for name in pairs(seen) do
  PROGRAMS[#PROGRAMS + 1] = name
  LASTING[#LASTING + 1] = name
end
table.sort(PROGRAMS)
table.sort(LASTING)
local EVERY = { unpack(PROGRAMS) }
for _, name in ipairs(INTERPRETERS) do
  EVERY[#EVERY + 1] = name
end

-- The commands of Symfony's console in PHP, each part of whose names may be abbreviated.
local PARTED = {}
for name, list in pairs({
  artisan = "migrate:fresh migrate:refresh migrate:reset migrate:rollback db:wipe",
  console = "doctrine:database:drop doctrine:schema:drop doctrine:mongodb:schema:drop doctrine:fixtures:load doctrine:schema:update doctrine:migrations:execute doctrine:migrations:migrate",
}) do
  PARTED[name] = text.split(list, " ")
end

-- in_full returns what a text with the words of a program begins with, with an abbreviated command written out: "m:fresh".
local function in_full(name, line)
  local list = PARTED[name]
  local short, rest = line:match("^(%S+:%S+)(.*)$")
  if not list or not short then
    return line
  end
  local pattern = "^" .. re.quote(short):gsub(":", "[^:]*:") .. "[^:]*$"
  for _, full in ipairs(list) do
    if short:match("[^:]*$") ~= "" and re.match(full, pattern) then
      return full .. rest
    end
  end
  return line
end

-- The words of yarn before what it runs in a workspace.
local WORKSPACE = patterns.later([[^workspaces? (foreach|\S+)( run| exec)? ]])

-- called returns the program and its words: of "php artisan migrate" artisan and "migrate".
local function called(cmd)
  local operands = cmd:operands()
  local first = 1
  local name = cmd.name
  if RUNNERS[name] then
    if operands[1] == "run" or operands[1] == "exec" then
      first = 2
    elseif name == "yarn" and (operands[1] == "workspace" or operands[1] == "workspaces") then
      local whole = WORKSPACE:find(table.concat(operands, " ") .. " ")
      first = #text.split(text.trim(whole or "x"), " ") + 1
    end
    name = operands[first]
    first = first + 1
  elseif name == "deno" then
    name = operands[1] == "run" and re.match(operands[2] or "", "^npm:") and re.replace(operands[2], [[^npm:(?:@[^/]+/)?([^@/]+).*$]], "$1")
    first = 3
  elseif LANGUAGES[name] then
    local module = cmd:flag("-m")
    if type(module) == "string" and ALL[module] then
      name = module
      if operands[1] == module then
        first = 2
      end
    elseif operands[1] and (name ~= "symfony" or operands[1] == "console") then
      name = text.contains(operands[1], "/typeorm/") and "typeorm" or path.base(operands[1])
      first = 2
    end
  end
  local line = table.concat(operands, " ", first)
  return name, PARTED[name] and in_full(name, line) or line, first == 1
end

-- A test database is made anew all the time.
local function for_tests(cmd)
  return stage.for_tests(cmd) or cmd:flag("--env", "-e") == "test" or cmd:flag("--env") == "testing"
end

-- Options that only show what would be done, or keep existing data. All words count, because the options after a
-- script's name aren't those of the program that runs it.
local SHOWS = { ["--help"] = true, ["--dry-run"] = true, ["--append"] = true, ["--dump-sql"] = true, ["--pretend"] = true, ["--sql"] = true, ["--env=test"] = true, ["--env=testing"] = true, ["RAILS_ENV=test"] = true, ["RACK_ENV=test"] = true }

local function only_shows(cmd)
  for _, word in ipairs(cmd.args) do
    if SHOWS[word] then
      return true
    end
  end
end

-- Scripts of a project whose name says what they do: "db:reset".
local SCRIPT = patterns.later([[^(db|database|prisma|migrate|migrations?|schema)[:_-](drop|reset|wipe|nuke|fresh|purge|destroy|truncate|migrate:reset|migrate:fresh|force-reset)(:(force|all|hard|dev|local|prod\w*|staging))?$]])
local BUILDERS = { make = true, gmake = true, just = true, task = true }

local function script(cmd)
  local operands = cmd:operands()
  local name = operands[1]
  if RUNNERS[cmd.name] and (name == "run" or name == "run-script") then
    name = operands[2]
  elseif not RUNNERS[cmd.name] and not BUILDERS[cmd.name] or cmd.name == "npm" then
    return nil
  end
  if name and SCRIPT:match(name) and not for_tests(cmd) and not cmd:flag("-n", "--dry-run", "--help") then
    return cmd.name .. " " .. name
  end
end

local function loses(patterns)
  return function(cmd)
    local name, line, itself = called(cmd)
    local pattern = name and patterns[name]
    if not pattern then
      return nil
    end
    local found = pattern:find(line)
    if not found and itself and not PARTED[name] then
      found = pattern:find(verbs.behind(cmd) or "")
    end
    if found and not only_shows(cmd) and not for_tests(cmd) then
      return name .. " " .. text.trim(found)
    end
  end
end

-- What a schema is loaded into is emptied first, which is how a new database is made.
local LOADS = patterns.later([[^\S+ db:\w+:load|^(rails|rake) \w+:(drop|reset|purge)]])
local OWN = patterns.later([[^\S+ (db|database):]])

local function in_production(cmd)
  for _, word in ipairs((cmd.name == "rails" or cmd.name == "rake") and cmd.args or {}) do
    if word == "RAILS_ENV=production" or word == "RACK_ENV=production" or word == "--environment=production" or word:find("^DISABLE_DATABASE_ENVIRONMENT_CHECK=") then
      return true
    end
  end
  return cmd.env.DISABLE_DATABASE_ENVIRONMENT_CHECK ~= nil or (cmd.env.RAILS_ENV or cmd.env.RACK_ENV or cmd.env.NODE_ENV or cmd.env.APP_ENV) == "production"
end

local function for_good(cmd)
  local found = loses(ALL)(cmd)
  return not found or in_production(cmd) or not LOADS:match(found) or OWN:match(found) and not found:find(":load", 1, true)
end

local CLIENTS = { psql = true, mysql = true, mariadb = true, sqlite3 = true }
local some = loses(SOME)

-- printed reports whether the SQL that empties all tables goes from manage.py into a client.
local function printed(cmd, scene)
  local name, line = called(cmd)
  if not ALL[name] or not text.starts_with(line, "sqlflush") then
    return nil
  end
  for _, other in ipairs(scene:pipeline(cmd)) do
    if CLIENTS[other.name] or other:subcommand() == "dbshell" then
      return name .. " sqlflush | " .. other.name
    end
  end
end

-- begun compiles what the words of programs begin with.
local function begun(words)
  local list = {}
  for name, start in pairs(words) do
    list[name] = patterns.later("^(?:" .. start .. ")(?: |$)")
  end
  return loses(list)
end

-- Commands that lose everything with an option, by the option.
local push = begun({ prisma = "db push", zenstack = "db push", zen = "db push", rw = "prisma db push", redwood = "prisma db push", cedar = "prisma db push", blitz = "prisma db push", ["drizzle-kit"] = "push" })
local by_force = begun({ ["drizzle-kit"] = "push", strapi = "import|transfer" })
local by_replace = begun({ convex = "import" })
local back_by_all = begun({ knex = "migrate:rollback", kysely = "migrate[: ](?:rollback|down)", mix = [[(?:do (?:\S+ )*)?ecto\.rollback,?]], diesel = "migration revert", yoyo = "rollback" })
local back_to_zero = begun({ phinx = "rollback", cake = "migrations rollback", sqlx = "migrate revert", ["cargo-sqlx"] = "migrate revert", cargo = "sqlx migrate revert", ace = "migration:rollback",
  ["mikro-orm"] = "migration:down", mix = [[(?:do (?:\S+ )*)?ecto\.rollback,?]], rails = "db:migrate", rake = "db:migrate" })
local ZERO = patterns.later([[(?:^| )(?:-t|--target|--target-version|--to|--batch)[ =]?0(?: |$)]])

-- by_option returns what loses everything because of an option, or of a variable.
local function by_option(cmd)
  return cmd:flag("--force-reset", "--accept-data-loss") and push(cmd) or cmd:flag("--force") and by_force(cmd) or cmd:flag("--replace", "--replace-all") and by_replace(cmd)
    or cmd:flag("-a", "--all") and back_by_all(cmd) or (cmd.env.VERSION == "0" or ZERO:match(table.concat(cmd.args, " "))) and back_to_zero(cmd)
    or cmd.name == "sqitch" and cmd:subcommand() == "revert" and #cmd:operands() == 1 and not cmd:flag("--to", "--to-change", "-t") and not only_shows(cmd) and not for_tests(cmd) and "sqitch revert"
end

return {
  {
    id = "databases.reset",
    severity = "high",
    programs = EVERY,
    looks_at = "the words of programs that manage tables, also behind php, python, yarn and the like",
    when = function(cmd)
      if cmd.name == "supabase" and cmd:subcommand() == "stop" and cmd:flag("--no-backup") then
        return "supabase stop --no-backup"
      elseif cmd.name == "hasura" and cmd:flag("--down") then
        return "hasura migrate apply --down"
      end
      return loses(ALL)(cmd) or by_option(cmd)
    end,
    always = for_good,
    always_for = LASTING, -- what an interpreter runs by its file counts as a command of its own
    reason = "{detail} throws away every table, with all that is in them.",
    advice = "Add a migration instead, or do it to the database for tests.",
    suggestion = "RAILS_ENV=test rails db:reset",
    blocked = { "prisma migrate reset", "yarn run prisma migrate reset", "npx prisma db push --force-reset", "mix ecto.rollback --all", "rails db:drop", "php artisan migrate:fresh", "php bin/console doctrine:schema:drop --force", "python manage.py flush --no-input", "alembic downgrade base", "bundle exec rake db:schema:load", "mix ecto.reset", "dotnet ef database drop" },
    passes = { "rails db:migrate", "npx prisma migrate deploy", "php artisan migrate", "php bin/console doctrine:fixtures:load --append", "python manage.py migrate", "alembic upgrade head", "RAILS_ENV=test rails db:drop", "rails db:test:prepare" },
  },
  {
    id = "databases.script",
    severity = "medium",
    programs = { "npm", "yarn", "pnpm", "bun", "composer", "make", "gmake", "just", "task" },
    looks_at = "the name of the script that is run: db:reset, db-drop and the like",
    when = script,
    reason = "{detail} says by its name that it throws a database away.",
    advice = "Look at the script, or do it to the database for tests.",
    suggestion = "npm run db:migrate",
    blocked = { "npm run db:reset", "yarn db:drop", "make db-reset" },
    passes = { "npm run db:migrate", "npm run reset", "NODE_ENV=test npm run db:reset", "make db-up" },
  },
  {
    id = "databases.step-back",
    severity = "medium",
    programs = EVERY,
    looks_at = "the words of programs that manage tables, also behind php, python, yarn and the like",
    when = function(cmd, scene)
      return some(cmd) or printed(cmd, scene)
    end,
    always = printed,
    always_for = { "manage.py", "django-admin", "django" },
    reason = "{detail} may drop tables or columns with what is in them.",
    advice = "Look at the SQL that it would run, or do it to the database for tests.",
    suggestion = "npx prisma migrate status",
    blocked = { "npx prisma db push", "rails db:rollback", "alembic downgrade -1", "npx sequelize-cli db:migrate:undo", "php artisan migrate:rollback" },
    passes = { "npx prisma migrate status", "alembic history", "alembic downgrade -1 --sql", "php artisan migrate:rollback --pretend" },
  },
}
