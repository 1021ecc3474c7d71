-- Secrets: programs that keep them, and commands that would show them to a model.

local verbs = require("verbs")
local secretfile = require("secretfile")

local VAULT = patterns.later([[^(delete|kv (delete|destroy|metadata delete|rollback)|secrets (disable|move)|auth (disable|move)|audit disable|policy delete|policies delete|lease revoke|token revoke|namespace delete|plugin deregister|operator (seal|rekey|rotate|generate-root|raft (remove-peer|snapshot restore)|step-down|migrate)|pki revoke|operator unseal|operator init|write (\S+ )*\S*(revoke|rotate)\S*|write (\S+ )*/?sys/(seal|step-down|rekey\S*|generate-root\S*|raw\S*)|revoke|unmount|auth-disable|audit-disable|policy-delete|seal|rekey|step-down)(?: |$)]])

local MANAGERS = {}
for names, list in pairs({
  ["doppler"] = [[delete|revoke|rollback|lock|reset]],
  ["op"] = [[delete|revoke|suspend|forget|move]],
  ["bw bws rbw"] = [[delete|purge|remove|rm|move]],
  ["infisical"] = [[delete|revoke|reset]],
  ["pass gopass"] = [[rm|remove|delete|mv|move|init|rename]],
  ["lpass"] = [[rm|rmdir]],
  ["chamber credstash berglas"] = [[delete|purge|destroy|revoke]],
  ["aws-vault"] = [[remove|rm|clear|delete]],
  ["keyctl"] = [[revoke|clear|unlink|purge|invalidate|timeout]],
  ["cmdkey"] = [[/delete\S*]],
  ["sops"] = [[rotate|updatekeys|unset]],
  ["ansible-vault"] = [[rekey]],
  ["akeyless"] = [[delete-\S+|revoke-\S+]],
  ["secret-tool"] = [[clear]],
  ["keyring"] = [[del]],
  ["security"] = [[delete-\S+]],
  ["conjur"] = [[delete|revoke|load|rotate-api-key]],
}) do
  for _, name in ipairs(text.split(names, " ")) do
    MANAGERS[name] = verbs.pattern(list)
  end
end
local MANAGER_NAMES = {}
for name in pairs(MANAGERS) do
  MANAGER_NAMES[#MANAGER_NAMES + 1] = name
end
table.sort(MANAGER_NAMES)

local AWS = patterns.later([[^(secretsmanager (delete-\S+|update-\S+|put-\S+|remove-\S+|rotate-\S+|cancel-\S+|replicate-\S+|stop-\S+|tag-\S+|untag-\S+)|ssm delete-parameters?)$]])

-- Names of variables that hold a secret.
local SECRET_NAME = patterns.later([[(?i)(secret|token|passw(or)?d|passphrase|private_?key|api_?key|access_?key|credential)]])
local NO_SECRET = patterns.later([[(?i)(count|name|id|file|path|dir|url|uri|length|len|size|ttl|type|expiry|expires(_\w+)?|regex|pattern|version|limit|max\w*|set|prefix|policy)$]])
local EXPANDS = patterns.later([[\$\{?[#!]?([A-Za-z_][A-Za-z0-9_]*)]])

-- sorted reports whether what is shown goes through a search for something that is no secret: env | grep NODE
local function sorted(cmd, scene)
  if not cmd.pipe or not scene.commands then
    return false
  end
  for _, other in ipairs(scene.commands) do
    if other.pipe == cmd.pipe and (other.name == "grep" or other.name == "rg") and not other:flag("-v", "--invert-match") then
      local sought = other:operands()[1]
      if sought and re.match(sought, [[^\^?[\w|\\^-]{3,}=?$]]) and not SECRET_NAME:match(sought) and not re.match(sought, "(?i)^(key|pass|auth|aws|api|sec)") then
        return true
      end
    end
  end
  return false
end

local function all_variables(cmd, scene)
  if sorted(cmd, scene) then
    return nil
  end
  if cmd.name == "printenv" then
    local operands = cmd:operands()
    for _, name in ipairs(operands) do
      if SECRET_NAME:match(name) then
        return name
      end
    end
    return #operands == 0 and not cmd:flag("--help", "--version") and "printenv"
  elseif cmd.name == "env" then
    for _, word in ipairs(cmd.args) do
      if word ~= "-0" and word ~= "--null" then
        return nil
      end
    end
    return "env"
  elseif #cmd.args == 0 or #cmd.args == 1 and cmd.args[1] == "-p" then
    return cmd.name ~= "set" and cmd.args[1] == "-p" and cmd.name .. " -p" or cmd.name == "set" and #cmd.args == 0 and "set" or cmd.name == "export" and "export" or nil
  end
end

-- shown reports whether what a command prints is seen: no other program reads it, no variable and no file gets it.
local function shown(cmd)
  if cmd.pipe or cmd.context == "substitution" then
    return false
  end
  for _, redirect in ipairs(cmd.redirects) do
    if text.starts_with(redirect.op, "&>") or text.starts_with(redirect.op, ">") and (redirect.fd == nil or redirect.fd == 1) and redirect.target ~= "2" then
      return false
    end
  end
  return true
end

-- The words with which programs print a secret.
local PRINTS = {}
for names, words in pairs({
  ["op"] = [[read|document get|inject]],
  ["pass gopass lpass"] = [[show|cat]],
  ["aws"] = [[secretsmanager (batch-)?get-secret-value|ssm get-parameters?(-by-path)?|configure export-credentials|configure get aws_(secret_access_key|session_token)|kms decrypt]],
  ["gcloud"] = [[secrets versions access|auth (application-default )?print-(access|identity)-token]],
  ["az"] = [[keyvault secret (show|download)|account get-access-token|acr credential show|ad sp create-for-rbac]],
  ["gh"] = [[auth token]],
  ["glab"] = [[auth token]],
  ["bw rbw"] = [[get|export|list items|unlock]],
  ["chamber"] = [[read|export|env]],
  ["credstash"] = [[get|getall]],
  ["berglas"] = [[access]],
  ["keyctl"] = [[print|pipe|read]],
  ["sops"] = [[decrypt]],
  ["age"] = [[-never-]],
  ["vault bao"] = [[print token]],
  ["kubectl oc"] = [[view-secret|config view|create token|extract secret\S*]],
  ["pulumi"] = [[config|stack output|stack export]],
  ["rails"] = [[credentials:show]],
  ["aws-vault"] = [[export]],
  ["heroku"] = [[auth:token|pg:credentials:url]],
  ["security"] = [[-never-]],
  ["argocd"] = [[admin initial-password|account generate-token]],
  ["wg"] = [[showconf|show \S+ (private-key|preshared-keys)|genkey]],
}) do
  for _, name in ipairs(text.split(names, " ")) do
    PRINTS[name] = patterns.later("^(?:" .. words .. ")(?: |$)")
  end
end

local function echoes(cmd)
  if not shown(cmd) then
    return nil
  end
  for _, word in ipairs(cmd.words) do
    if word.dynamic then
      local _, name = EXPANDS:find(word.text)
      if type(name) == "string" and SECRET_NAME:match(name) and not NO_SECRET:match(name) then
        return name
      end
    end
  end
end

return { class = "secrets", title = "Secrets", rules = {
  {
    id = "secrets.read",
    severity = "medium",
    on = "file",
    reads = true,
    looks_at = "files that a command or a tool shows, copies or sends",
    when = function(file, scene)
      return file.access == "read" and secretfile.shown(file) and secretfile.kind(file, scene)
    end,
    reason = "{detail} holds secrets: what is read becomes part of the conversation.",
    advice = "Say which setting you need; a file with examples has its name.",
    suggestion = "cat .env.example",
    blocked = { "cat .env", "grep KEY config/.env.production", "cat ~/.aws/credentials", "base64 ~/.ssh/id_ed25519", "cp .env /tmp/x" },
    passes = { "cat .env.example", "cat ~/.ssh/id_ed25519.pub", "cat ~/.ssh/authorized_keys", "ls -la .env", "test -f .env", "source .env", "cat src/environment.ts" },
  },
  {
    id = "secrets.variables",
    severity = "medium",
    programs = { "printenv", "env", "set", "export", "declare", "typeset" },
    looks_at = "printenv, env, set and export that show everything",
    when = all_variables,
    reason = "{detail} shows every variable, secrets among them.",
    advice = "Ask for the variable that you need.",
    suggestion = "printenv PATH",
    blocked = { "printenv", "env | sort", "export -p", "printenv GITHUB_TOKEN" },
    passes = { "printenv PATH", "env DEBUG=1 make", "export A=1", "set -e" },
  },
  {
    id = "secrets.echo",
    severity = "medium",
    programs = { "echo", "printf", "print" },
    looks_at = "variables whose name tells of a secret, in words that are printed",
    when = echoes,
    reason = "This prints the secret {detail}.",
    advice = "Ask only whether it is set.",
    suggestion = "test -n \"$GITHUB_TOKEN\"",
    blocked = { "echo $GITHUB_TOKEN", "echo \"key: ${AWS_SECRET_ACCESS_KEY}\"", "printf '%s' \"$DB_PASSWORD\"" },
    passes = { "echo $HOME", "echo \"$REGISTRY_TOKEN\" | docker login --password-stdin", "echo '$GITHUB_TOKEN'" },
  },
  {
    id = "secrets.shown",
    severity = "medium",
    remote = true,
    programs = { "op", "pass", "gopass", "lpass", "aws", "gcloud", "az", "gh", "glab", "bw", "rbw", "chamber", "credstash", "berglas", "keyctl", "sops", "age", "vault", "bao", "kubectl", "oc", "pulumi", "rails", "aws-vault", "heroku", "security", "argocd", "wg" },
    looks_at = "the operands of programs that print a secret, where no other program and no file gets it",
    when = function(cmd)
      if not shown(cmd) or verbs.idle(cmd) or cmd:flag("--clipboard", "--clip") then
        return nil
      end
      local found = PRINTS[cmd.name]:find(table.concat(cmd:operands(), " "))
      if found and cmd.name == "aws" and re.match(found, "^ssm") and not cmd:flag("--with-decryption") or found and cmd.name == "kubectl" and re.match(found, "^config") and not cmd:flag("--raw")
        or found and cmd.name == "pulumi" and not cmd:flag("--show-secrets") then
        return nil
      elseif not found and (cmd.name == "sops" or cmd.name == "age") and cmd:flag("-d", "--decrypt") and not cmd:flag("-o", "--output") and not (cmd.name == "sops" and cmd:flag("-i", "--in-place")) then
        found = "--decrypt"
      elseif not found and cmd.name == "gh" and cmd:subcommand() == "auth" and cmd:flag("-t", "--show-token") then
        found = "auth status --show-token"
      end
      return found and cmd.name .. " " .. text.trim(found)
    end,
    reason = "{detail} prints a secret: what is read becomes part of the conversation.",
    advice = "Hand it to the program that needs it, with op run, doppler run or a pipe.",
    suggestion = "op item list",
    blocked = { "op read op://shop/key/password", "aws secretsmanager get-secret-value --secret-id shop", "pass show work/aws", "gh auth token", "gcloud secrets versions access latest --secret key", "az keyvault secret show --name key --vault-name v" },
    passes = { "op item list", "TOKEN=$(op read op://shop/key/token)", "pass ls", "gh auth token | docker login ghcr.io -u kim --password-stdin", "aws ssm get-parameter --name /shop/a" },
  },
  {
    id = "secrets.fetch",
    severity = "medium",
    remote = true,
    level = "strict",
    programs = { "vault", "bao", "aws", "op", "doppler", "gcloud", "az", "pass", "gopass", "gh", "bw" },
    looks_at = "the operands of programs that print secrets",
    when = { words = { "kv get", "read", "secretsmanager get-secret-value", "secretsmanager batch-get-secret-value", "ssm get-parameter", "ssm get-parameters", "ssm get-parameters-by-path", "configure export-credentials", "item get", "document get", "secrets get", "secrets download",
      "secrets versions access", "auth print-access-token", "auth print-identity-token", "keyvault secret show", "account get-access-token", "storage account keys list", "show", "auth token", "get password", "get item" }, unless = { "--help" } },
    reason = "{detail} prints secrets: what is read becomes part of the conversation.",
    advice = "Hand it to the program that needs it, with vault agent, op run or doppler run.",
    suggestion = "vault kv list secret",
    blocked = { "vault kv get secret/shop", "aws ssm get-parameter --name /shop/a", "op item get shop", "doppler secrets download --no-file" },
    passes = { "vault kv list secret", "aws secretsmanager describe-secret --secret-id shop", "op item list" },
  },
  {
    id = "secrets.keychain",
    severity = "medium",
    programs = { "security", "secret-tool", "gpg", "gpg2" },
    looks_at = "keychains and key rings that are asked to show what they keep",
    when = function(cmd)
      local verb = cmd:subcommand() or ""
      if cmd.name == "security" then
        return re.match(verb, "^(find-(generic|internet)-password|dump-keychain|export|delete-keychain)$") and verb
      elseif cmd.name == "secret-tool" then
        return re.match(verb, "^(lookup|search)$") and verb
      end
      return (cmd:flag("--export-secret-keys", "--export-secret-subkeys") or cmd:flag("--delete-secret-keys", "--delete-secret-and-public-key")) and "gpg" or nil
    end,
    always = function(cmd)
      return cmd:flag("--delete-secret-keys", "--delete-secret-and-public-key") or cmd.name == "security" and cmd:subcommand() == "delete-keychain"
    end,
    reason = "{detail} shows or deletes what is kept in a key ring.",
    advice = "Ask the user for what you need.",
    suggestion = "gpg --list-keys",
    blocked = { "security find-generic-password -s shop -w", "secret-tool lookup service shop", "gpg --export-secret-keys kim" },
    passes = { "gpg --list-keys", "gpg --verify a.sig", "security list-keychains" },
  },
  {
    id = "secrets.cluster",
    severity = "medium",
    remote = true,
    programs = { "kubectl", "oc" },
    looks_at = "kubectl get secret with an output that shows its values",
    when = function(cmd)
      local output = cmd:flag("-o", "--output")
      local operands = cmd:operands()
      if operands[1] == "get" and re.match(operands[2] or "", "^secrets?(/|,|$)") and type(output) == "string" and re.match(output, "^(yaml|json|jsonpath|go-template|custom-columns|template)") then
        return table.concat(operands, " ", 1, 2)
      end
    end,
    reason = "kubectl {detail} shows secrets; base64 hides nothing.",
    advice = "Look at the names with describe.",
    suggestion = "kubectl describe secret shop",
    blocked = { "kubectl get secret shop -o yaml", "kubectl -n prod get secrets -o json" },
    passes = { "kubectl get secrets", "kubectl describe secret shop", "kubectl get pods -o yaml" },
  },
  {
    id = "secrets.vault",
    severity = "high",
    remote = true,
    programs = { "vault", "bao" },
    looks_at = "the operands of vault",
    when = function(cmd)
      local found = VAULT:find(table.concat(cmd:operands(), " "))
      return found and not cmd:flag("-help", "--help", "-h", "-output-curl-string", "-output-policy") and text.trim(found) or nil
    end,
    always = function(cmd)
      return re.match(table.concat(cmd:operands(), " "), "^(?:secrets disable|kv (?:destroy|metadata delete)|operator seal)\\b")
    end,
    reason = "vault {detail} takes secrets, or the way to them, from everyone who uses them.",
    advice = "Read or list them, and ask the user to do it.",
    suggestion = "vault secrets list",
    blocked = { "vault kv delete secret/shop", "vault -namespace=admin secrets disable kv/", "vault policy delete shop", "vault operator seal" },
    passes = { "vault kv get secret/shop", "vault read secret/delete", "vault secrets list", "vault delete -help" },
  },
  {
    id = "secrets.managers",
    severity = "high",
    remote = true,
    programs = MANAGER_NAMES,
    looks_at = "the first verb among the operands",
    when = function(cmd)
      local found = verbs.find(cmd, MANAGERS[cmd.name])
      return found and cmd.name .. " " .. found
    end,
    reason = "{detail} takes secrets from everyone who uses them.",
    advice = "List them, and ask the user to delete them.",
    suggestion = "doppler secrets list",
    blocked = { "doppler secrets delete API_KEY --yes", "op vault delete Shop", "op connect token delete x", "pass rm shop/key", "bw delete item x" },
    passes = { "doppler secrets list", "op item get 'delete me'", "doppler secrets download --no-file", "pass ls" },
  },
  {
    id = "secrets.aws",
    severity = "high",
    remote = true,
    programs = { "aws" },
    looks_at = "aws secretsmanager and ssm with a verb that changes a secret",
    when = function(cmd)
      local call = verbs.service(cmd)
      return call and AWS:match(call) and call or nil
    end,
    always = { words = { "secretsmanager delete-secret" }, flag = { "--force-delete-without-recovery" } },
    always_for = { "aws secretsmanager" },
    reason = "aws {detail} changes or deletes a secret that programs use.",
    advice = "Look at it with describe-secret, and ask the user to change it.",
    suggestion = "aws secretsmanager describe-secret --secret-id shop",
    blocked = { "aws secretsmanager delete-secret --secret-id shop --force-delete-without-recovery", "aws secretsmanager put-secret-value --secret-id shop --secret-string x" },
    passes = { "aws secretsmanager describe-secret --secret-id shop", "aws ssm get-parameter --name /shop/a", "aws secretsmanager list-secrets" },
  },
} }
