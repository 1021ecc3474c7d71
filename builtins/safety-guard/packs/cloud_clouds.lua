-- az, gcloud and the like: a call names its subject, and then a verb.

local verbs = require("verbs")

local GONE = verbs.pattern([[delete|delete-(batch|blobs?|by-\S+|directory|range|table|versions?|all|immutable\S*|policy|history)|destroy|purge|purge-\S+|flush|rm|terminate|erase|\S+-delete|rb|bulk-delete-\S+|schedule-(\S+-)?deletion|create-destroy-job|undeploy|\S+-(rm|remove|terminate|destroy)|Delete\S+|Release\S+|Terminate\S+|DELETE]])
local LESS = verbs.pattern([[(delete|remove|revoke|disable|detach|unregister|regenerate|reset|deallocate|unassign|unlink|clear|dismiss|disassociate)(-\S+)?|failover|failover-priority-change|failover-allow-data-loss|untag|restart|stop|suspend|power-off|redeploy|reimage|abandon|undelete|kill|cancel|cancel-\S+|cleanup|swap|pause|drain|deactivate|force-reboot|reboot|rebuild|reinstall|reset-\S+|shutdown|poweroff|standby|seek|restore-backup|promote-replica|renew|invalidate-cdn-cache|break|\S+-(stop|cancel|reboot|shutdown|rebuild)|(Stop|Reboot|Restart)[A-Z]\S*|rotate-certs]])
local ACCESS = verbs.pattern([[set-iam-policy|add-iam-policy-binding|set-policy|set-permission|add-access-config]])

-- Options that take a protection away.
local UNGUARDS = patterns.later([[^--(no-(deletion-protection|versioning|soft-delete|backup)|clear-(lifecycle|retention\S*|soft-delete|policy)|lifecycle-file|disabled)(=.*)?$]])

-- In strict: verbs that make or change something, and verbs that only read.
local CHANGES = verbs.pattern([[(create|update|set|add|start|resize|patch|import|deploy|upload|upgrade|scale|move|rename|grant|enable|attach|apply|invoke|call|execute|restore|promote|rollback|rotate|assign|publish|submit|copy|sync|run-command|push|clone)(-\S+)?]])
local LOOKS = verbs.pattern([[(list|ls|show|describe|get|view|info|status|exists|cat|help|version|search|read|wait|download|export|tail|validate|what-if|query|check)(-\S+)?]])

-- Groups of gcloud and az that only affect this machine.
local OWN = { config = true, components = true, cache = true, extension = true, configure = true, init = true, logout = true, topic = true, auth = true }

local CLOUDS = { "az", "gcloud", "oci", "ibmcloud", "openstack", "hcloud", "linode-cli", "scw", "aliyun", "vultr-cli", "exo", "yc", "civo", "upctl", "eksctl" }

local function rest(cmd)
  local method = cmd:flag("--method", "-m", "--http-method")
  local subcommand = cmd:subcommand()
  if type(method) == "string" and (subcommand == "rest" or subcommand == "devops" or subcommand == "raw-request") and cmd:flag("--help") == false then
    return re.match(method, "(?i)^(delete|put|patch|post)$") and subcommand .. " --method " .. method
  end
end

-- What holds data, or many other things.
local KEEPS = patterns.later([[(^| )(groups?|resource-groups?|projects?|clusters?|instances?|databases?|db|dbs|disks?|buckets?|volumes?|servers?|vm|storage|snapshots?|backups?|namespaces?|vaults?|keyvault|kms|tables?|compartments?|accounts?|organizations?|managed-zones?|registr(y|ies))( |$)]])
local STORED = patterns.later([[^storage rm]])

-- Those of them that only count right before the verb: "aks delete", but "aks nodepool update" isn't about the cluster.
local KEPT = patterns.later([[(^| )(aks|cosmosdb|redis|redisenterprise|acr|mi|vmss|flexible-server|workspace|share|share-rm|file-system|filesystem|repositor(y|ies)|secrets|autonomous-database|autonomous-container-database|db-system|kubernetes|linodes|lke|bare-metal|dbaas|sks|nks|stack|hub|appliance) (delete|purge|destroy|rm|terminate|disk-delete|cluster-delete)$]] ..
  [[|(^| )service-instance-delete$|(^| )instance-delete$|^cs DELETE$|(^| )(Delete|Release|Terminate|Destroy|Isolate)\S*(Instances?|Clusters?|Disks?|Databases?|Buckets?|Snapshots?|Volumes?|FileSystems?|Stacks?|Tables?)$]])

-- Of eksctl, whose verb comes first.
local EKSCTL = patterns.later([[^delete (cluster|nodegroup)( |$)]])

-- keeps reports whether what a call deletes holds data, or many other things.
local function keeps(cmd, found)
  if cmd.name == "eksctl" then
    return EKSCTL:match(table.concat(cmd:operands(), " ")) or cmd:operands()[1] == "delete" and cmd:flag("-f", "--config-file") ~= false
  end
  return KEPT:match(found) or KEEPS:match(found) and (not STORED:match(found) or cmd:flag("-r", "-R", "--recursive") ~= false)
end

-- completes reports whether a deployment deletes everything in its group that it doesn't name.
local function completes(cmd)
  local operands = cmd:operands()
  local shows = re.match(table.concat(operands, " "), "what-if|validate|list|show|export")
  return not shows and ((operands[1] == "deployment" or operands[2] == "deployment") and re.match(tostring(cmd:flag("--mode")), "(?i)^complete$") and "--mode Complete"
    or operands[1] == "stack" and re.match(tostring(cmd:flag("--action-on-unmanage", "--aou")), "(?i)^deleteAll$") and "--action-on-unmanage deleteAll") or nil
end

local function by_verb(pattern)
  return function(cmd)
    local operands = cmd:operands()
    if operands[1] == "account" and (operands[2] == "clear" or #operands < 3) then
      return nil -- which account this machine uses
    end
    local found = verbs.find(cmd, pattern, OWN)
    return found and cmd.name .. " " .. found
  end
end

return {
  {
    id = "cloud.delete",
    severity = "high",
    programs = CLOUDS,
    looks_at = "the first verb among the operands of az, gcloud and the like",
    when = by_verb(GONE),
    always = function(cmd)
      local found = verbs.find(cmd, GONE, OWN)
      return found and keeps(cmd, found)
    end,
    reason = "{detail} deletes for good what others may use.",
    advice = "Look at it with show, list or describe, and ask the user to delete it.",
    suggestion = "gcloud compute instances describe web",
    blocked = { "gcloud compute instances delete web", "az group delete --name shop --yes", "az --subscription s keyvault purge --name v", "gcloud storage rm gs://shop/a", "hcloud server delete web" },
    passes = { "gcloud compute instances list", "az vm show --name delete", "gcloud compute instances delete --help", "gcloud help compute instances delete", "gcloud config configurations delete old" },
  },
  {
    id = "cloud.remove",
    severity = "medium",
    programs = CLOUDS,
    looks_at = "the first verb among the operands of az, gcloud and the like",
    when = by_verb(LESS),
    reason = "{detail} stops or deletes something that others may rely on.",
    advice = "Ask the user whether anybody does.",
    suggestion = "az disk show --name d --resource-group shop",
    blocked = { "az disk revoke-access --name d --resource-group shop", "az vm deallocate --name web --resource-group shop", "gcloud services disable run.googleapis.com", "az acr repository untag --name r --image web:old" },
    passes = { "az webapp log tail --name shop", "gcloud logging read 'stop'" },
  },
  {
    id = "cloud.access",
    severity = "medium",
    programs = CLOUDS,
    looks_at = "the verb of a gcloud call; az role assignment create",
    when = function(cmd)
      return by_verb(ACCESS)(cmd) or cmd.name == "az" and table.concat(cmd:operands(), " ") == "role assignment create" and "az role assignment create"
    end,
    reason = "{detail} changes who may do what.",
    advice = "Show the user the change that you want.",
    suggestion = "gcloud projects get-iam-policy shop",
    blocked = { "gcloud projects set-iam-policy shop policy.json", "az role assignment create --assignee kim --role Owner" },
    passes = { "gcloud projects get-iam-policy shop", "az role assignment list" },
  },
  {
    id = "cloud.shrink",
    severity = "medium",
    programs = { "az", "gcloud", "eksctl" },
    looks_at = "az deployment --mode Complete; a size or count of 0; options that take a protection away",
    when = function(cmd)
      if verbs.idle(cmd) then
        return nil
      elseif cmd.name == "az" and table.concat(cmd:operands(), " ") == "repos pr update" and (cmd:flag("--status") == "abandoned" or cmd:flag("--status") == "completed") then
        return "--status " .. cmd:flag("--status")
      elseif cmd.name == "az" and cmd:subcommand() == "storage" and (cmd:flag("--delete-destination") == "true" or cmd:flag("--delete-destination") == true) then
        return "--delete-destination"
      elseif cmd.name == "az" and re.match(tostring(cmd:flag("--cmd")), "^acr purge ") then
        return "--cmd acr purge"
      elseif cmd.name == "gcloud" and re.match(tostring(cmd:flag("--ddl")), [[(?i)^\s*drop\s]]) then
        return "--ddl DROP"
      elseif cmd.name == "gcloud" and cmd:subcommand() == "sql" and cmd:flag("--no-backup") then
        return "--no-backup"
      elseif cmd.name == "gcloud" and cmd:flag("--delete-all-existing") then
        return "--delete-all-existing"
      elseif cmd.name == "gcloud" and re.match(tostring(cmd:flag("--predefined-acl")), "^public") then
        return "--predefined-acl " .. cmd:flag("--predefined-acl")
      elseif completes(cmd) then
        return completes(cmd)
      end
      if cmd.name == "az" and text.starts_with(table.concat(cmd:operands(), " "), "storage blob sync") then
        return "storage blob sync"
      end
      for _, word in ipairs(cmd.args) do
        if cmd.name == "gcloud" and UNGUARDS:match(word) then
          return word
        end
      end
      for _, pair in ipairs({ { "--allow-blob-public-access", "true" }, { "--soft-delete-feature-state", "disable" }, { "--enable-soft-delete", "false" }, { "--enable-purge-protection", "false" } }) do
        local value = cmd.name == "az" and cmd:flag(pair[1])
        if type(value) == "string" and value:lower() == pair[2] then
          return pair[1] .. " " .. value
        end
      end
      for _, name in ipairs({ "--size", "--num-nodes", "--node-count", "--new-capacity", "--instance-count", "--max-instances", "-c", "-N", "--nodes" }) do
        if cmd:flag(name) == "0" then
          return name .. " 0"
        end
      end
    end,
    always = completes,
    always_for = { "az" },
    reason = "With {detail}, something that is kept or guarded now won't be any more.",
    advice = "Look at what would change first, with what-if or describe.",
    suggestion = "az deployment group what-if --resource-group shop --template-file t.json",
    blocked = { "az deployment group create --mode Complete --template-file t.json --resource-group shop", "gcloud container clusters resize web --num-nodes 0" },
    passes = { "az deployment group create --template-file t.json --resource-group shop", "gcloud container clusters resize web --num-nodes 3" },
  },
  {
    id = "cloud.oci-action",
    severity = "medium",
    programs = { "oci" },
    looks_at = "oci ... action --action STOP",
    when = function(cmd)
      local action = cmd:flag("--action")
      return type(action) == "string" and not verbs.idle(cmd) and re.match(action, "(?i)^(soft)?(stop|reset|reboot|diagnosticreboot)$") and "action " .. action or nil
    end,
    reason = "oci {detail} stops a machine that may be in use.",
    advice = "Ask the user whether it is.",
    suggestion = "oci compute instance get --instance-id i",
    blocked = { "oci compute instance action --action STOP --instance-id i" },
    passes = { "oci compute instance action --action START --instance-id i" },
  },
  {
    id = "cloud.az-rest",
    severity = "medium",
    programs = { "az", "oci" },
    looks_at = "az rest, az devops invoke and oci raw-request with a method that changes something",
    when = rest,
    reason = "{detail} changes something through the API itself.",
    advice = "Read it with --method get, and use the az command for what you want to change.",
    suggestion = "az rest --method get --url https://management.azure.com/x",
    blocked = { "az rest --method delete --url https://management.azure.com/x" },
    passes = { "az rest --method get --url https://management.azure.com/x" },
  },
  {
    id = "cloud.change",
    severity = "medium",
    level = "strict",
    programs = CLOUDS,
    looks_at = "the first verb among the operands of az, gcloud and the like: what makes or changes something",
    when = function(cmd)
      local operands = cmd:operands()
      if OWN[operands[1]] or verbs.idle(cmd) then
        return nil
      end
      for i, word in ipairs(operands) do
        if i > 7 or LOOKS:match(word) then
          return nil
        elseif i > 1 and CHANGES:match(word) then
          return cmd.name .. " " .. table.concat(operands, " ", 1, i)
        end
      end
    end,
    reason = "{detail} changes what is rented.",
    advice = "Show the user the change that you want.",
    suggestion = "az vm list",
    blocked = { "az vm create --name web --resource-group shop", "gcloud run services update shop --min-instances 3" },
    passes = { "az vm list", "gcloud run services describe update" },
  },
  {
    id = "cloud.gcloud-sync",
    severity = "high",
    programs = { "gcloud" },
    looks_at = "gcloud storage rsync --delete-unmatched-destination-objects",
    when = { words = { "storage rsync" }, flag = { "--delete-unmatched-destination-objects" }, unless = { "--dry-run", "--help" } },
    reason = "This deletes everything that lies at the destination and not at the source.",
    advice = "Show what it would delete with --dry-run.",
    suggestion = "gcloud storage rsync a gs://shop --delete-unmatched-destination-objects --dry-run",
    blocked = { "gcloud storage rsync --recursive --delete-unmatched-destination-objects a gs://shop" },
    passes = { "gcloud storage rsync --recursive a gs://shop" },
  },
}
