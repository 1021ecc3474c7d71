-- Online services, by their programs or their API: payments, feature switches, alarms, names, content delivery,
-- builds, searches.

local request = require("request")
local verbs = require("verbs")

local DELETE = [[(delete|destroy|remove|purge|archive|revoke)(-\S+)?|rm]]
local COLON = DELETE .. [[|\S+:(delete|remove|destroy|purge)]]

-- The verbs of each; the words before them don't matter.
local VERBS = {}
for names, list in pairs({
  ["stripe"] = DELETE .. [[|cancel|void_invoice|roll]],
  ["braintree square paddle"] = DELETE .. [[|cancel]],
  ["ldcli"] = DELETE .. [[|toggle-off|toggle-on]],
  ["unleash flipt split statsig configcat growthbook posthog-cli"] = DELETE,
  ["datadog-ci dog newrelic honeycomb grr grafanactl sentry-cli"] = DELETE,
  ["pd"] = DELETE .. [[|resolve|ack]],
  ["grafana-cli"] = DELETE .. [[|reset-admin-password]],
  ["splunk"] = DELETE .. [[|clean|stop|restart]],
  ["circleci travis bk drone tkn buildctl codefresh woodpecker-cli argo"] = DELETE .. [[|unset|disable]],
  ["jenkins-cli"] = [[(delete|clear|remove)-\S+|quiet-down|shutdown|restart|safe-(restart|shutdown)|disable-(job|plugin)|offline-node|disconnect-node|groovy]],
  ["fastly"] = DELETE,
  ["flarectl cloudflared cf-terraforming akamai bunny cdn77"] = DELETE .. [[|invalidate|cleanup]],
  ["cli53"] = [[delete|rrdelete|rrpurge]],
  ["dnscontrol"] = [[push]],
  ["kong"] = [[reset]],
  ["deck"] = [[reset]],
  ["apigeecli apigeetool"] = DELETE .. [[|undeploy\S*]],
  ["twilio sendgrid postmark mailgun mailchimp"] = COLON,
  ["algolia meilisearch typesense"] = DELETE .. [[|clear]],
  ["pulsar-admin"] = DELETE .. [[|clear-backlog|truncate|unload|terminate]],
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
local OWN = { auth = true, login = true, logout = true, config = true, profile = true, profiles = true, completion = true, auth_token = true }

local function online(cmd)
  local operands = cmd:operands()
  if operands[1] and operands[1]:match("^auth") then
    return nil
  end
  local found = verbs.find(cmd, VERBS[cmd.name], OWN)
  if found then
    return cmd.name .. " " .. found
  elseif cmd.name == "fastly" and cmd:flag("--all") and operands[#operands] == "purge" then
    return "fastly purge --all"
  end
end

-- APIs of such services, by their host, and those of self-hosted programs, by the host's name or port and a path
-- that is theirs.
local HOSTED = verbs.pattern([[(?i)(https?://)?([^/@]*@)?(api|app|rest|management|www|console|connect|connect\.squareup|us\d|\w+\.api|[\w.-]+)\.(stripe|github|cloudflare|digitalocean|heroku|datadoghq|pagerduty|sendgrid|mailgun|fastly|launchdarkly|newrelic|vercel|netlify|split|squareup|braintreegateway|braintree-api|postmarkapp|twilio|algolia|algolianet|opsgenie|linode|hetzner|vultr|godaddy|namecheap|dnsimple|sentry|circleci|travis-ci|buildkite|bitbucket|atlassian|auth0|okta|intercom|shopify|paypal|contentful|mongodb|azure|googleapis|akamaiapis|apigee|unleash-hosted|harness|honeycomb|statuspage|mailchimp|hubapi|slack|confluent|aiven)\.(com|net|io|org|cloud)(:\d+)?/\S*|(?i)(https?://)?([^/@]*@)?(gitlab\.com|gitlab\.[\w.-]+|circleci\.com)/api/\S*]])
local OWNED = verbs.pattern([[(?i)(https?://)?([^/@]*@)?([^/]*(grafana|kong|jenkins|vault|consul|splunk|alertmanager|prometheus|unleash|flipt|traefik|rabbitmq|nomad)[^/]*/\S*|[^/]+:(8001|8500|8200|8089|15672|4646)/(services|routes|plugins|consumers|upstreams|v1|servicesNS|api|certificates)(/\S*)?)]])
local ACTS = verbs.pattern([[(?i)\S*(/purge_cache|/doDelete|/admin/tsdb/delete_series|/agent/leave|/sys/seal|/safeRestart|/quietDown)(\?\S*)?]])

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
    id = "cloud.api-delete",
    severity = "medium",
    programs = request.programs,
    looks_at = "a DELETE that is sent to the API of a service",
    when = function(cmd)
      local deletes = request.method(cmd) == "DELETE"
      for _, word in ipairs(cmd.args) do
        if deletes and (HOSTED:match(word) or OWNED:match(word)) or ACTS:match(word) then
          return word
        end
      end
    end,
    reason = "This deletes something at a service that others may use ({detail}).",
    advice = "Look at it with GET, and ask the user to delete it.",
    suggestion = "curl https://api.stripe.com/v1/customers/cus_7",
    blocked = { "curl -X DELETE https://api.stripe.com/v1/customers/cus_7", "curl -XDELETE https://api.github.com/repos/kim/shop", "curl --request DELETE http://grafana:3000/api/dashboards/uid/7", "curl -X POST https://api.cloudflare.com/client/v4/zones/z/purge_cache -d @p.json" },
    passes = { "curl https://api.github.com/repos/kim/shop", "curl -X DELETE http://localhost:3000/api/carts/7", "curl -X POST https://api.stripe.com/v1/customers -d name=kim" },
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
