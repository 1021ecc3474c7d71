-- Programs of services that name what they do by a verb: "PROGRAM thing delete", "PROGRAM delete thing",
-- "PROGRAM thing:delete", "PROGRAM deleteThing".

local verbs = require("verbs")

-- What takes something away for good, and what stops it or puts something else in its place.
local GONE = [[(?:\w+-)?(?:delete|destroy|purge|terminate|wipe|erase|drop|nuke|undeploy|uninstall|unpublish|teardown|decommission|deprovision|revoke|remove|rm|rb|rmr|del)(?:-\S+)?]] ..
  [[|\S+[:.](?:delete|destroy|purge|terminate|wipe|remove|rm|del|drop|unset|undeploy|revoke|clear|reset|kill|stop|unlink|disable|deactivate|cancel|rollback|restore|clone-content|db-drop)(?:-\S+|:\S+)?]] ..
  [[|(?:delete|destroy|remove|terminate|drop|Delete|Destroy|Remove|Terminate|Release|Isolate)[A-Z]\w*|(?:delete|remove)_\w+|(?:delete|undeploy):\S+|delnode|delpolicy|deletesite|deleteusers|deleteall]]
local ENDS = [[|down|unset|clear|reset|disable|suspend|archive|kill|stop|deactivate|prune|cancel|abort|pause|expire|rollback|restore|revert|reboot|restart|rebuild|poweroff|shutdown|detach|disconnect|invalidate|evict|drain|failover|reject|flush|gc|format|downgrade|undelete|retire|unregister|deregister|leave|demote|disrupt]]

local SERVICES = {}
for list, words in pairs({
  -- who may do what
  ["auth0 okta okta-cli clerk supertokens kcadm kcadm.sh ipa samba-tool tctl headscale adcli m365 gam pac sf sfdx realm step cfssl easyrsa boundary hcp"] = GONE .. ENDS,
  -- hosts, and what runs on them
  ["ddev lando terminus acli kamal gigalixir scalingo clever qovery northflank porter deployctl encore shuttle cargo-shuttle triton balena particle zeabur brightbox ovhcloud vcd pvesh pvecm ha-manager cloudmonkey cmk cf hs slack zapier tabcmd meltano abctl checkly ngrok contentful contentful-cli sanity storyblok kubefirst metal packet tccli kamatera-cli cloudscale dcos tsuru fn porter cyclic stormkit"] = GONE .. ENDS,
  ["nova cinder neutron glance heat magnum trove swift"] = GONE .. [[|\S+-delete|reboot|rebuild|stop|suspend|reset-state]],
  -- training and data
  ["ray ollama sky modal runpodctl vastai kaggle dstack anyscale bentoml beam lightning coiled huggingface-cli hf pachctl lakectl sagify paperspace gradient lambda-labs"] = GONE .. ENDS,
  ["cap mina dep shipit"] = [[\S+:(rollback|drop|reset|cleanup|stop|restart)|rollback|delete|destroy]],
  ["fastboot"] = [[erase|flash|flashall|flashing|oem|format\S*|-w]],
  ["ipfs"] = [[gc|rm|prune]],
  ["b2 s4cmd ossutil ossutil64 coscli obsutil tigris gdrive juicefs weed mrm upfile"] = GONE .. [[|rmobject|delete-\S+]],
  -- builds and deliveries
  ["sem spin octopus octo appcenter tfc tfctl spacectl env0 esc rain sceptre stacker formica arc architect wing winglang claudia apex buildkite-agent humanitec garden-cli harness octodns"] = GONE .. [[|stop|cancel|abort|prune|discard]],
  ["gitlab gitea forgejo fj berg bb jira linear acli-jira trello asana notion"] = GONE .. [[|archive|decline|merge|close]],
  -- watching
  ["mimirtool cortextool lokitool icingacli omd pup dogshell opsgenie opsgenie-lamp lamp gcx grizzly zabbix-cli checkmk pagerduty statuspage cabot"] = GONE .. [[|deleteAlert|closeAlert|mute|mute_all|stop|cancel|expire]],
  -- names and what stands in front
  ["pdnsutil rndc knotc unbound-control dnsimple lexicon cfcli cloudflare-cli gandi namecheap porkbun certbot apisix adc anypoint-cli krakend haproxyctl"] = GONE .. [[|delzone|flush|flush_zone|freeze|halt|stop|zone-purge|conf-unset|clear-zone|unregister|local_zone_remove|unset|unlink]],
}) do
  local pattern = verbs.pattern(words)
  for _, name in ipairs(text.split(list, " ")) do
    SERVICES[name] = pattern
  end
end

local PROGRAMS = {}
for name in pairs(SERVICES) do
  PROGRAMS[#PROGRAMS + 1] = name
end
table.sort(PROGRAMS)

-- Of those what holds data, or is a whole machine or application.
local KEEPS = patterns.later([[^(ddev (delete|clean)|lando destroy|kamal (remove|accessory remove)|nova delete|cinder (force-)?delete|trove delete|heat stack-delete|terminus (site:delete|env:wipe)|sf org delete|metal device delete|packet device delete|triton (instance|inst|volume|vol) (delete|rm)|triton rm|ovhcloud .*(instance|cluster|volume) (delete|rm)|b2 (bucket delete|delete-bucket)|lakectl repo delete|swift delete)$]] ..
  [[|^tccli \S+ (Terminate|Delete|Destroy|Isolate)\S*(Instances?|Clusters?|Disks?|DB|Databases?|Buckets?|Snapshots?|Volumes?|FileSystems?)$]])
local KEEPING = { "ddev", "lando", "kamal", "nova", "cinder", "trove", "heat", "terminus", "sf", "metal", "packet", "triton", "ovhcloud", "b2", "lakectl", "swift", "tccli" }

-- Groups of commands that only affect this machine.
local OWN = { auth = true, login = true, logout = true, config = true, profile = true, profiles = true, completion = true, alias = true, context = true, plugins = true, plugin = true, cache = true }

-- Whether ddev keeps a copy of the database, or deletes only images.
local function is_spared(cmd)
  local operands = cmd:operands()
  return cmd.name == "ddev" and (operands[2] == "images" or not cmd:flag("-O", "--omit-snapshot") and not cmd:flag("-a", "--all"))
    or cmd.name == "swift" and operands[3] ~= nil
end

-- For the programs of which nothing is known: only what can mean nothing else.
local PLAIN = verbs.pattern([[(?:delete|destroy|purge|terminate|wipe|nuke|undeploy|teardown|decommission|deprovision)(?:-\S+)?|\S+[:.](?:delete|destroy|purge|terminate|wipe|nuke)]])

-- Those whose names end so, but of which more is known, or which are about this machine.
local KNOWN = {}
for name in ([[kubectl systemctl journalctl sysctl loginctl hostnamectl timedatectl localectl bootctl networkctl resolvectl
  portablectl homectl machinectl coredumpctl busctl launchctl supervisorctl redis-cli keydb-cli valkey-cli sentry-cli
  grafana-cli couchbase-cli algolia-cli doctl flyctl etcdctl rabbitmqctl crictl lxc-cli talosctl eksctl istioctl argocd
  influx-cli jenkins-cli woodpecker-cli linode-cli vultr-cli apachectl apache2ctl pactl wpctl playerctl nmcli bluetoothctl
  iwctl brightnessctl xrandrctl amixerctl alsactl keyctl pg_ctl initctl gitlab-ctl monitctl circusctl nwg-displayctl
  angular-cli ng-cli wp-cli vue-cli tauri-cli expo-cli ganache-cli ionic-cli nx-cli sqlx-cli sea-orm-cli sequelize-cli
  wasm-cli bitcoin-cli graphql-cli arduino-cli ccli dockerctl qmicli mmcli]]):gmatch("%S+") do
  KNOWN[name] = true
end

return {
  {
    id = "cloud.services",
    severity = "medium",
    programs = PROGRAMS,
    looks_at = "the first verb among the operands",
    when = function(cmd)
      local found = verbs.find(cmd, SERVICES[cmd.name], OWN)
      return found and cmd.name .. " " .. found
    end,
    always = function(cmd)
      local found = verbs.find(cmd, SERVICES[cmd.name], OWN)
      return found and KEEPS:match(cmd.name .. " " .. found) and not is_spared(cmd)
    end,
    always_for = KEEPING,
    reason = "{detail} takes something away or stops it that others may rely on.",
    advice = "Look at it with list or get, and ask the user.",
    suggestion = "auth0 apps list",
    blocked = { "auth0 apps delete shop", "kamal app stop", "sf org delete scratch -o dev", "ddev delete -O shop", "terminus env:wipe shop.live", "modal volume delete data", "b2 rm -r b2://shop" },
    passes = { "auth0 apps list", "kamal deploy", "sf org list", "ddev start", "terminus env:info shop.live", "modal run train.py", "b2 ls b2://shop" },
  },
  {
    id = "cloud.unlisted",
    severity = "medium",
    needs = { "tool" },
    looks_at = "programs that are called ...ctl or ...cli, of which nothing else is known: the first verb among the operands",
    when = function(cmd)
      local name = cmd.name
      if KNOWN[name] or SERVICES[name] or cmd.path:sub(1, 1) == "." then
        return nil
      end
      local found = verbs.find(cmd, PLAIN, OWN)
      return found and name .. " " .. found
    end,
    reason = "{detail} seems to take something away for good.",
    advice = "Look at it first, and ask the user.",
    suggestion = "shopctl orders list",
    blocked = { "shopctl orders delete 7", "acme-cli destroy --env prod" },
    passes = { "shopctl orders list", "./shopctl orders delete 7", "shopctl --help delete" },
  },
}
