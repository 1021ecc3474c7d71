-- Online services, by their programs or their API: payments, feature switches, alarms, names, content delivery,
-- builds, searches.

local verbs = require("verbs")

local DELETE = [[(delete|destroy|remove|purge|archive|revoke|terminate|unlist|deactivate)([-_]\S+)?|rm|(delete|remove|destroy|revoke)[A-Z]\w*]]
local COLON = DELETE .. [[|\S+:(delete|remove|destroy|purge)]]

-- The verbs of each; the words before them don't matter.
local VERBS = {}
for names, list in pairs({
  ["stripe"] = DELETE .. [[|cancel|void_invoice|roll|detach|reject|close|create_reversal|expire]],
  ["braintree square paddle"] = DELETE .. [[|cancel]],
  ["ldcli"] = DELETE .. [[|toggle-off|toggle-on|kill]],
  ["unleash flipt split splitctl split-cli statsig configcat growthbook posthog-cli"] = DELETE .. [[|kill|disable]],
  ["datadog-ci dog newrelic honeycomb grr grafanactl sentry-cli"] = DELETE .. [[|mute|mute_all|mute_alert|resolve|cancel]],
  ["pd"] = DELETE .. [[|resolve|ack|disable]],
  ["grafana-cli"] = DELETE .. [[|reset-admin-password|uninstall]],
  ["splunk"] = DELETE .. [[|clean|stop|restart|disable|offline|rolling-restart]],
  ["circleci travis bk drone tkn buildctl codefresh woodpecker-cli argo"] = DELETE .. [[|unset|disable|cancel|stop|clear|abort|pause]],
  ["jenkins-cli"] = [[(delete|clear|remove|stop|update)-\S+|quiet-down|shutdown|restart|safe-(restart|shutdown)|disable-(job|plugin)|offline-node|disconnect-node|groovy|reload-\S+]],
  ["fastly"] = DELETE,
  ["flarectl cloudflared cf-terraforming akamai bunny cdn77"] = DELETE .. [[|invalidate|cleanup|uninstall]],
  ["cli53"] = [[delete|rrdelete|rrpurge|import]],
  ["dnscontrol"] = [[push]],
  ["kong"] = [[reset|stop|finish]],
  ["deck"] = [[reset|sync]],
  ["tyk-sync"] = [[sync]],
  ["varnishadm"] = [[ban|stop|vcl\.discard|ban req\..*]],
  ["pdns_control"] = [[purge|quit|notify-host]],
  ["amtool"] = [[expire|add]],
  ["thanos"] = [[cleanup|rewrite|mark]],
  ["hal spin"] = [[clean|delete]],
  ["apigeecli apigeetool"] = DELETE .. [[|undeploy\S*]],
  ["twilio sendgrid postmark mailgun mailchimp"] = COLON,
  ["algolia meilisearch typesense quickwit vespa"] = DELETE .. [[|clear|destroy]],
  ["pulsar-admin"] = DELETE .. [[|clear-backlog|truncate|unload|terminate|skip|skip-all|unsubscribe|reset-cursor|shutdown]],
  ["rancher"] = DELETE,
  ["azd"] = DELETE .. [[|down]],
}) do
  for _, name in ipairs(text.split(names, " ")) do
    VERBS[name] = verbs.pattern(list)
  end
end

local PROGRAMS = {}
for name in pairs(VERBS) do
  PROGRAMS[#PROGRAMS + 1] = name
end
table.sort(PROGRAMS)

-- Commands of such a program that only affect this machine.
local OWN = { auth = true, login = true, logout = true, profile = true, profiles = true, completion = true }

local function online(cmd)
  local operands = cmd:operands()
  if cmd.name ~= "configcat" and operands[1] == "config" then
    return nil
  end
  local found = verbs.find(cmd, VERBS[cmd.name], OWN)
  if found then
    return cmd.name .. " " .. found
  elseif cmd.name == "fastly" and cmd:flag("--all") and operands[#operands] == "purge" then
    return "fastly purge --all"
  end
end

return {
  {
    id = "cloud.online",
    severity = "medium",
    programs = PROGRAMS,
    looks_at = "the first verb among the operands",
    when = online,
    reason = "{detail} deletes or switches off what others use online.",
    advice = "Look at it with list or get, and ask the user.",
    suggestion = "stripe customers list",
    blocked = { "stripe customers delete cus_7", "ldcli flags archive --flag sale", "fastly purge --all", "circleci context remove-secret gh shop web KEY", "cli53 rrpurge shop.example", "deck gateway reset --force" },
    passes = { "stripe customers list", "stripe listen", "ldcli flags list", "fastly service list", "circleci config validate", "sentry-cli releases new 1.0" },
  },
  {
    id = "cloud.refund",
    severity = "medium",
    programs = { "stripe" },
    looks_at = "stripe with --live: what moves money",
    when = { words = { "refunds create", "payouts create", "transfers create", "charges create" }, flag = { "--live" }, unless = { "--help" } },
    reason = "stripe {detail} moves money.",
    advice = "Try it without --live, and ask the user.",
    suggestion = "stripe refunds create --charge ch_7",
    blocked = { "stripe refunds create --live --charge ch_7" },
    passes = { "stripe refunds create --charge ch_7", "stripe refunds list --live" },
  },
  {
    id = "cloud.jenkins",
    severity = "medium",
    programs = { "java" },
    looks_at = "java -jar jenkins-cli.jar with a verb that deletes or stops",
    when = function(cmd)
      local jar
      for _, word in ipairs(cmd.args) do
        if jar and VERBS["jenkins-cli"]:match(word) then
          return "jenkins-cli " .. word
        end
        jar = jar or path.base(word) == "jenkins-cli.jar"
      end
    end,
    reason = "{detail} deletes or stops what others build with.",
    advice = "Look at it with get-job, and ask the user.",
    suggestion = "java -jar jenkins-cli.jar list-jobs",
    blocked = { "java -jar jenkins-cli.jar -s http://ci.example delete-job web" },
    passes = { "java -jar jenkins-cli.jar list-jobs", "java -jar shop.jar delete-job" },
  },
  {
    id = "cloud.by-option",
    severity = "medium",
    programs = { "acme.sh", "mkcert", "octodns-sync", "ldapdelete", "ipa-server-install", "kdb5_util", "kadmin", "kadmin.local", "gyb", "travis", "squidclient", "xcrun" },
    looks_at = "options that make the program take something away",
    when = function(cmd)
      local name, o = cmd.name, cmd:operands()
      if verbs.idle(cmd) then
        return nil
      elseif name == "ldapdelete" then
        return #cmd.args > 0 and not cmd:flag("-n") and name or nil
      elseif name == "kdb5_util" then
        return (o[1] == "destroy" or o[1] == "load") and name .. " " .. o[1] or nil
      elseif name == "kadmin" or name == "kadmin.local" then
        local query = cmd:flag("-q")
        return type(query) == "string" and re.match(query, "^(del|ktremove|purgekeys)") and query or nil
      elseif name == "gyb" then
        return re.match(tostring(cmd:flag("--action")), "purge|delete") and name or nil
      elseif name == "squidclient" then
        return cmd:flag("-m") == "PURGE" and name or nil
      elseif name == "xcrun" then
        return o[1] == "simctl" and (o[2] == "erase" or o[2] == "delete") and o[3] == "all" and "simctl " .. o[2] .. " all" or nil
      elseif name == "travis" then
        return (o[1] == "cache" or o[1] == "logs") and cmd:flag("--delete", "-d") and "travis " .. o[1] .. " --delete" or nil
      end
      return cmd:flag("--remove", "--revoke", "--uninstall", "--deactivate", "-uninstall", "--doit") and name or nil
    end,
    reason = "{detail} takes away what others use: a certificate, a name, an account.",
    advice = "Look at it first, and ask the user.",
    suggestion = "octodns-sync --config-file dns.yml",
    blocked = { "acme.sh --revoke -d shop.example", "octodns-sync --config-file dns.yml --doit", "ldapdelete -x uid=kim,dc=shop", "kadmin.local -q 'delprinc kim'" },
    passes = { "acme.sh --list", "octodns-sync --config-file dns.yml", "ldapsearch -x uid=kim", "kadmin.local -q 'listprincs'" },
  },
  {
    id = "cloud.dns-update",
    severity = "medium",
    programs = { "nsupdate", "socat" },
    looks_at = "what nsupdate, or haproxy behind socat, is told on standard input",
    when = function(cmd)
      local given = cmd.input and cmd.input.text or ""
      local pattern = cmd.name == "nsupdate" and [[(?im)^\s*(update\s+|prereq\s+)?del(ete)?\s]] or [[(?im)^\s*(disable (server|frontend|agent|health)|shutdown (server|sessions?|frontend)|set server \S+ state (maint|drain)|del server)\b]]
      local found = re.find(given, pattern)
      return found and text.trim(found) or nil
    end,
    reason = "{detail}: this takes a name or a server away from everyone who asks for it.",
    advice = "Look it up first, and ask the user.",
    suggestion = "dig shop.example",
    blocked = { "echo 'update delete www.shop.example A' | nsupdate", "echo 'disable server web/a' | socat stdio /run/haproxy.sock" },
    passes = { "echo 'update add www.shop.example 60 A 10.0.0.7' | nsupdate", "echo 'show stat' | socat stdio /run/haproxy.sock" },
  },
}
