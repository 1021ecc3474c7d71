-- What a tool of a service does there, as far as its name and its input say it: mcp__supabase__delete_project.

local stage = require("stage")
local set = rules.set

local VERBS = set("delete destroy drop purge remove terminate wipe erase flush flushall flushdb truncate reset prune nuke")

-- The first words of tools that only tell of such a thing, or take it back.
local TELLS = set("get list describe show preview plan estimate check search find read count validate restore undo undelete cancel can is")

-- What can't be made again from a file, or belongs to others as well.
local LASTING = set("repository repo project database db schema table keyspace namespace cluster volume bucket instance server vm droplet stack " ..
  "environment workspace account organization org tenant zone backup snapshot index indice collection topic queue secret vault user app application site " ..
  "service branch persistentvolume persistentvolumeclaim pvc pv crd customresourcedefinition dataset warehouse catalog disk registry release workflow dashboard objects system email mail all")

-- Words behind which only stands how the thing is found.
local FINDS = set("by from in for on with to id ids and")

-- What is reset or pruned all the time, unless it is one of these.
local NARROW = { reset = set("database db schema branch cluster keyspace all"), prune = set("volume system all") }

local WHOLE = set("flushall flushdb")
local BUILDERS = set("terraform tofu pulumi cdk stack infrastructure infra all")

local function singular(word)
  return LASTING[word] and word or (word:gsub("ies$", "y"):gsub("([^s])s$", "%1"))
end

-- thing returns the verb among the words and what it is about, the last noun: "delete", "database".
local function thing(words)
  local verb, noun
  for _, word in ipairs(words) do
    if VERBS[word] then
      verb = verb or word
    elseif verb and FINDS[word] then
      break
    else
      noun = word
    end
  end
  return verb, noun
end

-- Whether the input says that it is about something for tests, and nothing in it says otherwise.
local function for_tests(input)
  local tests = false
  for _, value in pairs(input) do
    if type(value) == "string" and #value < 100 then
      if stage.is_test(value) and not stage.named_for_tests(value) then
        return false
      end
      tests = tests or stage.named_for_tests(value)
    end
  end
  return tests
end

local function only_tries(input)
  return input.dry_run == true or input.dryRun == true or input["dry-run"] == true
end

local function is_git(words)
  for _, word in ipairs(words) do
    if word == "git" then
      return true
    end
  end
end

local function destroys(call)
  local words, input = call.words, call.input
  if TELLS[words[1] or ""] or only_tries(input) or for_tests(input) then
    return nil
  end
  local verb, noun = thing(words)
  if not verb or is_git(words) then
    return nil
  end
  local kind = noun and singular(noun)
  local narrow = NARROW[verb]
  if WHOLE[verb] or verb == "destroy" and (not noun or BUILDERS[noun]) or kind and (narrow or LASTING)[kind] then
    return kind and noun ~= verb and verb .. " " .. noun or verb
  end
end

-- Whether a filter picks nothing, so that all match it.
local function picks_all(filter)
  if type(filter) == "string" then
    return re.match(filter, [[^\s*(\{\s*\})?\s*$]])
  end
  return filter == nil or type(filter) == "table" and next(filter) == nil
end

local function empties(call)
  local words, input = call.words, call.input
  local many = false
  for _, word in ipairs(words) do
    many = many or word == "many"
  end
  return many and thing(words) == "delete" and type(input.collection) == "string" and picks_all(input.filter) and picks_all(input.query)
    and not for_tests(input) and input.collection or nil
end

local function is_on(input, ...)
  for _, key in ipairs({ ... }) do
    if input[key] == true then
      return true
    end
  end
end

local function git_loses(call)
  local input, has = call.input, {}
  if not is_git(call.words) or is_on(input, "dry_run", "dryRun") then
    return nil
  end
  for _, word in ipairs(call.words) do
    has[word] = true
  end
  if has.reset and (has.hard or input.mode == "hard" or input.hard == true) then
    return "reset --hard"
  elseif has.clean and is_on(input, "force", "f") then
    return "clean -f"
  elseif has.push and is_on(input, "force", "f") then
    return "push --force"
  elseif has.branch and has.delete and is_on(input, "force", "f") then
    return "branch -D"
  elseif has.stash and (has.drop or has.clear) then
    return "stash drop"
  end
end

return { class = "calls", title = "Tools of services", rules = {
  {
    id = "calls.every-row",
    severity = "high",
    on = "call",
    looks_at = "the words of a tool's name, and its filter",
    when = empties,
    reason = "Without a filter this deletes everything in {detail}.",
    advice = "Say which of it is meant, or count it first.",
    suggestion = "ls",
    tool = true,
    blocked = { "mcp__mongodb__delete-many with an empty filter" },
    passes = { "mcp__mongodb__delete-many with a filter" },
  },
  {
    id = "calls.destroy",
    severity = "medium",
    on = "call",
    looks_at = "the words of a tool's name and of what its input says is to be done: a verb, and what it is about",
    when = destroys,
    reason = "This tool's name says that it destroys something at a service for good: {detail}.",
    advice = "Show what is there, and have the user agree.",
    suggestion = "ls",
    tool = true,
    blocked = { "mcp__supabase__delete_project", "mcp__redis__flushall", "a tool called kubectl_delete for a namespace" },
    passes = { "mcp__supabase__list_projects", "mcp__slack__delete_message", "mcp__mongodb__drop-database of shop_test" },
  },
  {
    id = "calls.git",
    severity = "medium",
    on = "call",
    looks_at = "tools of git: reset with hard, clean, push and branch with force, stash with drop",
    when = git_loses,
    reason = "This does what git {detail} does: it drops work that may be nowhere else.",
    advice = "Use git stash, or a push without force.",
    suggestion = "git stash",
    tool = true,
    blocked = { "git_reset with mode hard", "git_push with force" },
    passes = { "git_reset with mode mixed", "git_push" },
  },
} }
