-- GitHub, GitLab and the like: repositories, issues and releases that everyone sees.

local reached = require("reached")
local verbs = require("verbs")

-- values lists all values of an option that may be given more than once.
local function values(cmd, names)
  local list, args = {}, cmd.args
  for i, word in ipairs(args) do
    for _, name in ipairs(names) do
      if word == name then
        list[#list + 1] = args[i + 1]
      elseif text.starts_with(word, name .. "=") then
        list[#list + 1] = word:sub(#name + 2)
      elseif #name == 2 and text.starts_with(word, name) then
        list[#list + 1] = word:sub(3)
      end
    end
  end
  return list
end

-- A text that stands for a file: "@notes.md", but neither "@kim" nor "@kim thanks".
local FILE = patterns.later([[^@(?:(?:[~/]|\.{1,2}/)\S*|[^\s@]+\.(?:md|markdown|txt|json|html|rst|ya?ml|log|patch|diff|tmp))$]])

local function body(cmd)
  local names = { "--body", "-b", "--notes", "-n", "--comment", "-c" }
  if cmd.name == "glab" then
    names = { "--description", "-d", "--message", "-m", "--notes", "-N" }
  end
  if cmd:subcommand() == "api" then
    for _, field in ipairs(values(cmd, { "-f", "--raw-field" })) do
      local value = field:match("^[^=]*=(.*)$") or ""
      if FILE:match(value) then
        return value
      end
    end
    return nil
  end
  for _, value in ipairs(values(cmd, names)) do
    if FILE:match(value) then
      return value
    end
  end
end

-- The method of an api call: with fields it is POST.
local function method_of(cmd)
  local method = cmd:flag("-X", "--method")
  if type(method) == "string" then
    return method:upper()
  end
  local fields = cmd:flag("-f", "--raw-field", "-F", "--field", "--input")
  return fields and "POST" or "GET"
end

local function endpoint(cmd)
  if cmd:subcommand() ~= "api" or cmd:flag("--help") then
    return nil
  end
  return re.replace(cmd:operands()[2] or "", "^/", "")
end

local ROOT = patterns.later([[^/?(repos/[^/]+/[^/]+|projects/[^/]+|orgs/[^/]+|groups/[^/]+)/?$]])
local GUARDS = patterns.later([[/(rulesets|protection|protected_branches|hooks|keys|collaborators|members|memberships|invitations|transfer|secrets|variables|environments|permissions|git/refs|teams|branch-protection|push_rule|vulnerability-alerts|automated-security-fixes|merge|merges|pages|interaction-limits|topics|subscription|access_tokens|share)(/|$|\?)]])
local MUTATION = patterns.later([[^\s*mutation\b[\s\S]*\b(delete|archive|close|merge|remove|transfer|unlink|disable)\w*\s*\(]])

local function api(cmd)
  local where = endpoint(cmd)
  if not where then
    return nil
  end
  local method = method_of(cmd)
  if where == "graphql" then
    for _, field in ipairs(values(cmd, { "-f", "--raw-field", "-F", "--field" })) do
      local query = field:match("^query=(.*)$") or ""
      if MUTATION:match(query) then
        return "graphql mutation"
      end
    end
  elseif method ~= "GET" and method ~= "HEAD" and (ROOT:match(where) or GUARDS:match(where)) then
    return method .. " " .. where
  end
end

local FORGES = { "gh", "glab", "hub", "tea" }

-- Groups of commands that only affect this machine.
-- What an alias shouldn't stand for.
local KEPT = patterns.later([[\b(?:repo|project|release|secret|variable|ssh-key|environment) (?:delete|remove|archive)\b|\bpr merge\b.*--admin|-X\s*DELETE|--method[ =]DELETE|^!.*\brm\s+-\w*r]])

local OWN = { extension = true, extensions = true, ext = true, alias = true, config = true, auth = true, login = true, logout = true, logins = true, completion = true, ["config-get"] = true }
local GONE = verbs.pattern([[delete|remove|rm|destroy|purge]])

-- deletes returns a condition: that of a table, or a verb that deletes behind up to two words of what it deletes.
local function deletes(when)
  local named
  return function(cmd, scene)
    named = named or require("match").compile(when)
    local found = named(cmd, scene)
    if found then
      return found
    end
    local generic = verbs.find(cmd, GONE, OWN)
    return generic and #text.split(generic, " ") <= 4 and generic or nil
  end
end

return { class = "forges", title = "Forges", rules = {
  {
    id = "forges.api-delete",
    severity = "high",
    remote = true,
    programs = { "gh", "glab", "hub" },
    looks_at = "gh api with the method DELETE",
    when = function(cmd)
      local where = endpoint(cmd)
      return where and where ~= "graphql" and method_of(cmd) == "DELETE" and where or nil
    end,
    always = function(cmd)
      for _, word in ipairs(cmd:operands()) do
        if ROOT:match(word) then
          return true
        end
      end
      return false
    end,
    reason = "This deletes {detail}, for everyone.",
    advice = "Look at it with GET, and ask the user to delete it.",
    suggestion = "gh api repos/kim/shop/rulesets",
    blocked = { "gh api -XDELETE repos/kim/shop", "gh api repos/kim/shop/branches/main/protection --method DELETE", "glab api -X delete projects/7" },
    passes = { "gh api repos/kim/shop", "gh api repos/kim/shop/issues/3/comments -f body='use DELETE'" },
  },
  {
    id = "forges.api-change",
    severity = "medium",
    remote = true,
    programs = { "gh", "glab" },
    looks_at = "gh api with another method than GET, on a repository itself or on what protects it",
    when = api,
    reason = "{detail} changes a repository for everyone, or who may do what to it.",
    advice = "Show the user the change that you want.",
    suggestion = "gh api repos/kim/shop/rulesets",
    blocked = { "gh api -X PATCH repos/kim/shop -f visibility=public", "gh api repos/kim/shop/rulesets/3 -X PUT --input r.json", "gh api -X PUT repos/kim/shop/pulls/3/merge", "gh api graphql -f query='mutation { deleteRef(input: {refId: \"x\"}) { clientMutationId } }'" },
    passes = { "gh api repos/kim/shop/rulesets", "gh api -X PATCH repos/kim/shop/issues/comments/3 -F body=@reply.md", "gh api graphql -f query='query { viewer { login } }'" },
  },
  {
    id = "forges.api-write",
    severity = "medium",
    remote = true,
    level = "strict",
    programs = { "gh", "glab" },
    looks_at = "gh api with another method than GET",
    when = function(cmd)
      local where = endpoint(cmd)
      local method = where and where ~= "graphql" and method_of(cmd)
      return method and method ~= "GET" and method ~= "HEAD" and method .. " " .. where or nil
    end,
    reason = "{detail} changes something for everyone.",
    advice = "Show the user the change that you want.",
    suggestion = "gh api repos/kim/shop/issues",
    blocked = { "gh api repos/kim/shop/issues -f title=x", "gh api -X PATCH repos/kim/shop/issues/3 -f state=open" },
    passes = { "gh api repos/kim/shop/issues", "gh api --method GET search/issues -f q=x" },
  },
  {
    id = "forges.delete",
    severity = "high",
    remote = true,
    programs = FORGES,
    looks_at = "the operands of gh and glab",
    when = deletes({ words = { "repo delete", "project delete", "release delete", "issue delete", "mr delete", "secret delete", "secret remove", "variable delete", "variable remove", "label delete", "gist delete", "run delete", "codespace delete", "ssh-key delete", "gpg-key delete", "deploy-key delete", "repo deploy-key delete", "cache delete", "environment delete", "schedule delete", "delete", "repos delete", "releases delete", "snippet delete", "token revoke", "milestone delete", "labels delete", "milestones delete", "branches delete", "project field-delete", "project item-delete", "cs delete", "release delete-asset" }, unless = { "--help", "-h" } }),
    always = function(cmd)
      local o = cmd:operands()
      local listed = reached.by(cmd, "xargs") or reached.by(cmd, "parallel") or cmd.context == "loop"
      return o[1] == "delete" or (o[1] == "repo" or o[1] == "project" or o[1] == "repos" or o[1] == "release" and listed) and o[2] == "delete"
    end,
    reason = "{detail} deletes it on the server, for everyone.",
    advice = "Look at it with view or list, and ask the user to delete it.",
    suggestion = "gh repo view kim/shop",
    blocked = { "gh repo delete kim/shop --yes", "gh -R kim/shop release delete v1", "gh secret delete TOKEN", "glab mr delete 3" },
    passes = { "gh repo view kim/shop", "gh issue create --title 'repo delete' --body x", "gh repo delete --help" },
  },
  {
    id = "forges.alias",
    severity = "medium",
    remote = true,
    programs = { "gh", "glab" },
    looks_at = "gh alias set: what the alias stands for",
    when = function(cmd)
      local o = cmd:operands()
      return o[1] == "alias" and o[2] == "set" and o[4] and not cmd:flag("--help") and KEPT:match(table.concat(o, " ", 4)) and "alias " .. o[3] or nil
    end,
    reason = "The {detail} keeps a command that deletes something for everyone.",
    advice = "Run such a command as it is, when the user asks for it.",
    suggestion = "gh alias list",
    blocked = { "gh alias set nuke 'repo delete --yes'" },
    passes = { "gh alias set co 'pr checkout'" },
  },
  {
    id = "forges.close",
    severity = "medium",
    remote = true,
    programs = FORGES,
    looks_at = "the operands of gh and glab",
    when = { words = { "pr merge", "pr close", "mr merge", "mr close", "issue close", "issue transfer", "repo archive", "repo rename", "repo unarchive", "repo transfer", "project close", "workflow disable", "milestone close", "run cancel", "ci cancel", "pipeline delete", "ci delete", "pulls merge", "pulls close", "issues close", "pr m", "pr revert", "project unlink", "incident close", "project item-archive", "mr revoke", "issue lock", "pr lock", "token rotate", "ci cancel-pipeline" }, unless = { "--help", "-h", "--disable-auto" } },
    always = { words = { "pr merge" }, flag = { "--admin" } }, -- past the checks
    reason = "{detail} settles something that others may have a say in.",
    advice = "Show it to the user, who does it.",
    suggestion = "gh pr view 3",
    blocked = { "gh pr merge 3 --squash", "gh pr close 3", "gh issue close 4 --comment done", "sudo gh repo archive kim/shop", "glab mr merge 3" },
    passes = { "gh pr view 3", "gh pr create --title 'issue close' --body x", "gh pr comment 3 --body 'gh pr merge?'", "gh issue list" },
  },
  {
    id = "forges.visibility",
    severity = "medium",
    remote = true,
    programs = { "gh", "glab" },
    looks_at = "gh repo edit --visibility, sync --force",
    when = function(cmd)
      local line = table.concat(cmd:operands(), " ", 1, math.min(2, #cmd:operands()))
      return line == "repo edit" and cmd:flag("--visibility", "--default-branch", "--enable-wiki=false") and "gh repo edit" or line == "repo update" and cmd:flag("--archive") and "repo update --archive" or line == "auth refresh" and re.match(tostring(cmd:flag("-s", "--scopes")), "delete_repo|admin:") and "gh auth refresh" or line == "repo sync" and cmd:flag("--force") and "gh repo sync --force" or nil
    end,
    always = function(cmd)
      local of_folder = #cmd:operands() == 2 and cmd:flag("--force") -- the branch of this folder
      return of_folder or cmd:flag("--visibility") == "public"
    end,
    reason = "{detail} changes the repository for everyone.",
    advice = "Show the user the change that you want.",
    suggestion = "gh repo view kim/shop --json visibility",
    blocked = { "gh repo edit kim/shop --visibility public", "gh repo sync kim/shop --force" },
    passes = { "gh repo edit kim/shop --description 'a shop'", "gh repo sync kim/shop" },
  },
  {
    id = "forges.body-file",
    severity = "medium",
    remote = true,
    programs = { "gh", "glab" },
    looks_at = "--body and its like, and the raw fields of gh api: a value that is @ and a file's name",
    when = body,
    reason = "gh takes {detail} as the text itself: what is in the file would not be posted.",
    advice = "Give the file with --body-file, or to gh api with -F.",
    suggestion = "gh pr comment 3 --body-file review.md",
    blocked = { "gh pr comment 3 --body @review.md", "gh issue edit 4 -b @/tmp/text", "gh api repos/kim/shop/issues/4/comments -f body=@reply.md" },
    passes = { "gh pr comment 3 --body-file review.md", "gh pr comment 3 --body '@kim thanks'", "gh pr comment 3 --body @kim/team", "gh api repos/kim/shop/issues/4/comments -F body=@reply.md" },
  },
} }
