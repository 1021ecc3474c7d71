-- Requests to the API of a service, or of a program that a server runs.

local request = require("request")

-- Ports at which a DELETE is sent to a program that others rely on, never to an application in development: engines
-- of containers, keys, queues, gateways, monitors.
local PORTS = {}
for port in ("2019 2375 2376 2379 4646 6443 8006 8089 8200 8444 8500 9091 9093 9180 9901 11434 15671 15672"):gmatch("%d+") do
  PORTS[port] = true
end

-- Names of hosts that say the same.
local NAMED = patterns.later([[(?i)(?:^|[.-])(?:grafana|kong|jenkins|vault|consul|splunk|alertmanager|prom(?:etheus)?|pushgateway|unleash|flipt|traefik|rabbit(?:mq)?|nomad|keycloak|airflow|rundeck|awx|nexus|artifactory|harbor|registry|sonar(?:qube)?|portainer|gitlab|gitea|loki|schema-?registry|connect|k8s|kube\w*|minio|varnish)\d*(?:[.-]|$)]])

-- Paths that only such programs have.
local OWNED = patterns.later([[(?i)^/(?:]] ..
  [[apis?/(?:[\w.]+\.[\w.]+/|apps/|batch/)?v\d\w*/(?:namespaces|nodes|persistentvolumes)(?:/|$)|apis/[\w.]+/v\d]] .. -- kubernetes, flipt
  [[|api/v1/flags/|api/admin/(?:features|projects|strategies|segments|api-tokens|environments)/|(?:auth/)?admin/realms(?:/|$)]] ..
  [[|api/(?:dashboards|datasources|folders|v1/provisioning|alert-notifications|library-elements)/]] ..
  [[|v2/.+/(?:manifests|blobs)/|(?:v\d\.\d+/)?(?:containers|images|volumes|networks)/[^/]+/?(?:\?(?:force|v)=.*)$]] ..
  [[|v1/(?:sys|secret|kv|auth|agent|catalog|acl|job|jobs|node|namespace|schema)/|v\d/services/haproxy/|apisix/|tyk/]] ..
  [[|subjects/|topics/|connectors/|v3/clusters/|api/(?:queues|exchanges|vhosts|users|permissions|policies)/(?:%2f|[\w-]+)/|loki/api/|api/v1/admin/|metrics/job/|api/v\d/dags/]] ..
  [[|service/rest/|artifactory/|api/v2\.0/|api/v4/(?:projects|groups|users|runners)|api/v3/(?:repos|orgs|user)|api/v1/(?:repos|orgs|admin)/|rest/api/|api2/json/|client/v4/|servicesNS?/)]])

-- The paths of kong, whose port others have, too.
local KONG = patterns.later([[^/(?:services|routes|plugins|consumers|upstreams|certificates|snis|targets|ca_certificates|key-sets|vaults)(?:/|$)]])

-- What destroys or stops with any method, at whatever host.
local ACTS = patterns.later([[(?i)/(?:purge_cache|purge_all|doDelete|doKill|doDisconnect|admin/tsdb/(?:delete_series|clean_tombstones)|agent/leave|operator/raft/peer|sys/(?:seal|step-down)|leases/revoke[\w/-]*|auth/token/revoke[\w-]*|safeRestart|safeExit|quietDown|scriptText|actuator/shutdown|quitquitquit|drain_listeners|healthcheck/fail|-/quit|admin/wipe|containers/[\w.-]+/(?:kill|stop)|(?:volumes|images|containers|networks|build)/prune|swarm/leave|api/projects/(?:bulk_)?delete|documents/delete(?:-batch)?|points/delete|loki/api/v1/delete|api/v2/delete|actions/(?:safe-delete|delete-permanent|force-unlock)|chat\.delete|files\.delete|conversations\.(?:archive|kick)|users\.admin\.\w+|batch[-_]?delete|bulk[-_]?delete|indexes/[^/]+/clear|lifecycle/(?:deactivate|suspend))/?(?:\?\S*)?$|[?&]action=(?:DELETE|UNLOAD|DELETEREPLICA|DELETESHARD)\b]])
local STOPS = patterns.later([[(?i)^/(?:stop|exit|shutdown|restart)/?$|^/(?:job|computer|view)/.+/(?:disable|stop|toggleOffline)/?$]])

-- The last word of a path that says, at another machine's service, that something ends or goes.
local ENDS = patterns.later([[(?i)/(?:(?:safe|hard|soft|force|bulk|batch|permanently)[-_]?)?(?:cancel|delete\w*|destroy|terminate|deactivate|archive|revoke|purge\w*|suspend|shutdown|poweroff|power_off|wipe|refunds?|transfer|disable)/?(?:\?\S*)?$]])

-- Data that deletes: a mutation of GraphQL, what a repository is told to become, DNS records that replace all.
local MUTATION = patterns.later([[(?s)mutation\b.*\b(?:\w*(?:[dD]elete|[dD]estroy|[rR]emove|[aA]rchive|[tT]erminate|[cC]ancel)\w*)\s*\(]])
local KEPT = patterns.later([[(?s)mutation\b.*\b(?:(?:[vV]olume|[pP]roject|[sS]ervice|[eE]nvironment|[dD]atabase|[rR]epository|[oO]rganization|[tT]eam|[aA]pp|[bB]ackup)(?:Instance|Backup|Branch)?(?:Delete|Destroy|Remove)|(?:delete|destroy|remove)(?:Volume|Project|Service|Environment|Database|Repository|Organization|Team|App|Backup))\w*\s*\(]])
local BECOMES = patterns.later([["(?:private|archived|visibility)"\s*:]])
local REPOSITORY = patterns.later([[(?i)^/(?:api/v\d/)?(?:repos/[^/]+/[^/]+|projects/[^/]+)/?$]])

local RECORDS = patterns.later([[(?i)/(?:dns_)?records(?:/|$)]])

-- The address of another machine that is told to delete what is kept there, with all that is in it.
local function kept(cmd)
  local data = KEPT:match(request.data(cmd) or "")
  for _, to in ipairs(data and request.addresses(cmd) or {}) do
    if not to.here then
      return to.text
    end
  end
end

local function judged(cmd)
  if kept(cmd) then
    return nil -- api-kept has it
  end
  local method, changes = request.method(cmd), request.changes(cmd)
  local deletes = method == "DELETE"
  local socket = cmd:flag("--unix-socket")
  for _, to in ipairs(request.addresses(cmd)) do
    local database = request.of_database(to) -- those are judged by the pack databases
    local route = re.replace(to.path, [[[?#].*$]], "")
    if type(socket) == "string" and re.match(socket, [[(?:docker|podman|containerd|libpod)[\w.-]*$]]) then
      if deletes or ACTS:match(to.path) then
        return to.text
      end
    elseif deletes and not database and (not to.here or PORTS[to.port] or NAMED:match(to.host) or OWNED:match(to.path) or (to.port == "8001" or to.port == "8444") and KONG:match(route)) then
      return to.text
    elseif (method == "PURGE" or method == "BAN") and (not to.here or NAMED:match(to.host)) then
      return to.text
    elseif not database and (changes or method == nil) then
      if ACTS:match(to.path) and (changes or to.path:find("action=", 1, true)) then
        return to.text
      elseif changes and (PORTS[to.port] or NAMED:match(to.host)) and STOPS:match(route) then
        return to.text
      elseif changes and not to.here and (ENDS:match(to.path) or MUTATION:match(request.data(cmd)) or (method == "PATCH" or method == "PUT") and REPOSITORY:match(route) and BECOMES:match(request.data(cmd)) or method == "PUT" and RECORDS:match(route)) then
        return to.text
      end
    end
  end
end

return {
  {
    id = "cloud.api-kept",
    severity = "medium",
    programs = request.programs,
    only = "script",
    looks_at = "the data of a request to another machine: a mutation of GraphQL that deletes what is kept there",
    when = kept,
    always = true,
    reason = "This deletes what is kept at a service, with all that is in it ({detail}).",
    advice = "Look at it with a query, and ask the user to delete it.",
    suggestion = "curl https://api.stripe.com/v1/customers/cus_7",
    blocked = { "curl -d '{\"query\": \"mutation { volumeDelete(volumeId: 7) }\"}' https://backboard.railway.app/graphql/v2" },
    passes = { "curl -d '{\"query\": \"{ volume(id: 7) { name } }\"}' https://backboard.railway.app/graphql/v2", "curl -d '{\"query\": \"mutation { volumeDelete(volumeId: 7) }\"}' http://localhost:4000/graphql" },
  },
  {
    id = "cloud.api-delete",
    severity = "medium",
    programs = request.programs,
    looks_at = "a DELETE that is sent to another machine, or to the port or path of a program that others rely on; requests whose path says that something ends",
    when = judged,
    reason = "This deletes or ends something at a service that others may use ({detail}).",
    advice = "Look at it with GET, and ask the user to delete it.",
    suggestion = "curl https://api.stripe.com/v1/customers/cus_7",
    blocked = { "curl -X DELETE https://api.stripe.com/v1/customers/cus_7", "curl -XDELETE https://api.github.com/repos/kim/shop", "curl --request DELETE http://grafana:3000/api/dashboards/uid/7", "curl -X POST https://api.cloudflare.com/client/v4/zones/z/purge_cache -d @p.json", "http DELETE https://shop.example/api/orders/7" },
    passes = { "curl https://api.github.com/repos/kim/shop", "curl -X DELETE http://localhost:3000/api/carts/7", "curl -X POST https://api.stripe.com/v1/customers -d name=kim" },
  },
}
