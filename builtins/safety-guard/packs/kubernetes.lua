-- Commands that stop a cluster's workloads, or delete its data.

local verbs = require("verbs")


local stage = require("stage")

local KUBECTL = { "kubectl", "oc", "kubecolor", "microk8s.kubectl", "k" }
local PATCHED = patterns.later([["?(replicas"?\s*:\s*0\b|finalizers"?\s*:\s*(null|\[\s*\])|persistentVolumeReclaimPolicy"?\s*:\s*"?Delete)|"path"\s*:\s*"/(?:metadata|spec)/finalizers|"path"\s*:\s*"/spec/replicas"[^{}]*"value"\s*:\s*0\b|"value"\s*:\s*0\b[^{}]*"path"\s*:\s*"/spec/replicas"]])
local UNLESS = { "--help", "-h", "--dry-run" }

-- A dry run, unless --dry-run=none is given.
local function dry(cmd)
  local how = cmd:flag("--dry-run")
  return how ~= false and how ~= "none" and how ~= "false" or cmd:flag("--help", "-h") ~= false
end

local TAKES_DOWN = verbs.pattern([[(delete|remove|terminate|uninstall)(-\S+)?|rm|destroy|purge|cleanup|dismiss|down|suspend|prune|unjoin|reset|rollback|disable|disconnect|pause|release]])
local CLUSTER = verbs.pattern([[(delete|remove)(-\S+)?|rm|reset|drain|destroy|wipe|leave|uninstall|disable|prune|reboot|shutdown|rollback|move|unregister|snapshot-restore]])

-- Of what programs take down: whole releases and applications, and all backups.
local RELEASES = patterns.later([[^(helmfile (destroy|delete)|argocd (app|appset) delete|flux uninstall|kapp (app-group )?delete|kluctl delete|timoni (bundle )?delete|vcluster delete|okteto (destroy|namespace delete)|istioctl uninstall|cilium uninstall|velero backup delete|werf dismiss|kn service delete)$]])

-- What a plugin of kubectl does: "kubectl cnpg destroy".
local PLUGIN = verbs.pattern([[(delete|remove)(-\S+)?|destroy|uninstall|purge|promote|hibernate|undo|abort|fencing|terminate]])
local OF_KUBECTL = verbs.pattern([[get|describe|delete|apply|create|logs?|exec|edit|patch|scale|rollout|run|expose|port-forward|top|explain|api-resources|api-versions|version|cluster-info|config|diff|label|annotate|auth|wait|cp|debug|attach|proxy|drain|cordon|uncordon|taint|set|autoscale|replace|kustomize|certificate|completion|plugin|events|options|alpha|krew|adm|project|projects|new-app|new-project|start-build|cancel-build|import-image|rsh|rsync|process|policy|secrets|serviceaccounts|status|tag|idle|observe|extract|image|registry|whoami|login|logout|ns|ctx|neat|tree|view-secret|rollback|convert]])

local BROAD = patterns.later([[(?i)^(?:namespaces?|ns|projects?|all|nodes?|no|persistentvolumes?|pv|persistentvolumeclaims?|pvc|statefulsets?|sts|crds?|customresourcedefinitions?|clusterroles?|clusterrolebindings?|storageclass(?:es)?|sc|apiservices?|validatingwebhookconfigurations?|mutatingwebhookconfigurations?|volumesnapshots?|clusters?|machines?|machinesets?|nodepools?|nodeclaims?)(?:\..*)?$]])

-- Those of them that hold data, or all that is in them.
local HOLDS = patterns.later([[(?i)^(?:namespaces?|ns|projects?|all|nodes?|persistentvolumes?|pv|persistentvolumeclaims?|pvc|statefulsets?|sts|crds?|customresourcedefinitions?|volumesnapshots?|clusters?)(?:\..*)?$|--all|^all that|in all namespaces]])

-- A selector of pods that have ended.
local ENDED = patterns.later([[^status\.phase==?(Failed|Succeeded)$]])

-- The resources that kubectl delete deletes and that hold data or many others: "namespace/prod".
local function broad(cmd)
  if dry(cmd) then
    return nil
  end
  local o = cmd:operands()
  if (not o[2] or o[2] == "{}") and cmd.via[#cmd.via] == "xargs" and not cmd:flag("-f", "--filename", "-k", "--kustomize") then
    return "all that is listed"
  end
  for kind in (o[2] or ""):gmatch("[^,]+") do
    local name = kind:match("^([^/]+)")
    if name and BROAD:match(name) then
      return name
    end
  end
  for i = 2, #o do
    local name = o[i]:match("^([^/]+)/")
    if name and BROAD:match(name) then
      return name
    end
  end
  if cmd:flag("--all") then
    return (o[2] or "all kinds") .. " (--all)"
  elseif cmd:flag("-A", "--all-namespaces") then
    local picked = cmd:flag("--field-selector")
    if type(picked) == "string" and ENDED:match(picked) and re.match(o[2] or "", "^(po|pods?)$") then
      return nil
    end
    return (o[2] or "all kinds") .. " in all namespaces"
  end
end

return { class = "kubernetes", title = "Kubernetes", rules = {
  {
    id = "kubernetes.delete-broad",
    severity = "high",
    programs = KUBECTL,
    looks_at = "cmd:operands(), --all, --all-namespaces",
    when = { words = { "delete" }, also = broad },
    always = function(cmd)
      if not HOLDS:match(broad(cmd) or "") then
        return false
      end
      for i, name in ipairs(cmd:operands()) do
        if i > 2 and stage.is_test(name) then
          return false
        end
      end
      return true
    end,
    reason = "kubectl delete of {detail} takes everything in it along, and the data with it.",
    advice = "Delete the single object that you mean, by its name; --dry-run=server shows what would go.",
    suggestion = "kubectl delete namespace staging --dry-run=server",
    blocked = { "kubectl delete namespace prod", "kubectl delete pods --all", "kubectl -n shop delete pvc data-0", "oc delete project shop" },
    passes = { "kubectl get namespaces", "kubectl delete pods -A --field-selector=status.phase==Failed --dry-run=client", "kubectl delete ns staging --dry-run=client", "kubectl delete --help" },
  },
  {
    id = "kubernetes.delete",
    severity = "medium",
    programs = KUBECTL,
    looks_at = "cmd:operands()",
    when = { words = { "delete" }, also = function(cmd)
      return not dry(cmd) and not broad(cmd) and (cmd:operands()[2] or "objects of a file")
    end },
    reason = "kubectl delete takes {detail} away from the cluster.",
    advice = "Look at what it is, and have the user agree.",
    suggestion = "kubectl get pod web-0 -o yaml",
    blocked = { "kubectl delete pod web-0", "kubectl delete -f app.yaml", "kubectl -n shop delete deployment/web", "kustomize build . | kubectl delete -f -" },
    passes = { "kubectl describe pod web-0", "kubectl delete -f app.yaml --dry-run=server", "kubectl rollout restart deployment/web" },
  },
  {
    id = "kubernetes.node",
    severity = "medium",
    programs = KUBECTL,
    looks_at = "cmd:operands()",
    when = { words = { "drain", "cordon", "adm drain", "adm cordon", "adm prune", "adm taint", "taint" }, also = function(cmd)
      local o = cmd:operands()
      if dry(cmd) then
        return nil
      elseif o[1] == "taint" or o[2] == "taint" then
        for _, word in ipairs(o) do
          if word:match(":NoExecute$") then
            return "taint " .. word
          end
        end
        return nil
      elseif o[2] == "prune" and not cmd:flag("--confirm") then
        return nil -- it only shows
      end
      return o[1]
    end },
    always = function(cmd) -- what no controller makes again, and what is in emptyDir
      return cmd:operands()[1] == "drain" and cmd:flag("--force", "--delete-emptydir-data", "--delete-local-data")
    end,
    reason = "kubectl {detail} drives work away from a node of the cluster.",
    advice = "See what runs there, and have the user agree.",
    suggestion = "kubectl drain node-1 --ignore-daemonsets --dry-run=server",
    blocked = { "kubectl drain node-1", "kubectl cordon node-1", "kubectl taint nodes node-1 key=v:NoExecute" },
    passes = { "kubectl uncordon node-1", "kubectl get nodes", "kubectl taint nodes node-1 key=v:PreferNoSchedule" },
  },
  {
    id = "kubernetes.scale-down",
    severity = "medium",
    programs = KUBECTL,
    looks_at = "cmd:flag(\"--replicas\")",
    when = { words = { "scale" }, also = function(cmd)
      return cmd:flag("--replicas") == "0" and not dry(cmd)
    end },
    reason = "With no replicas left nothing runs any more: it is an outage.",
    advice = "Scale to one at least, or have the user agree.",
    suggestion = "kubectl scale deployment web --replicas=1",
    blocked = { "kubectl scale deployment web --replicas=0", "kubectl -n shop scale sts/db --replicas 0" },
    passes = { "kubectl scale deployment web --replicas=3", "kubectl scale deployment web --replicas=0 --dry-run=client" },
  },
  {
    id = "kubernetes.patch",
    severity = "medium",
    programs = KUBECTL,
    looks_at = "what kubectl patch is given: no replicas, no finalizers, what becomes of a volume",
    when = { words = { "patch", "replace" }, also = function(cmd)
      local given = cmd:flag("-p", "--patch")
      if cmd:subcommand() == "replace" then
        local raw = cmd:flag("--raw")
        return type(raw) == "string" and raw:match("/finalize$") and raw
      end
      return type(given) == "string" and not dry(cmd) and PATCHED:find(given)
    end },
    reason = "This patch ({detail}) stops what runs, or allows deleting something that was kept.",
    advice = "See what it is for, and have the user agree.",
    suggestion = "kubectl get deployment web -o yaml",
    blocked = { [[kubectl patch deployment web -p '{"spec":{"replicas":0}}']], [[kubectl patch ns shop --type merge -p '{"metadata":{"finalizers":null}}']], [[kubectl patch deploy web --type=json -p '[{"op":"replace","path":"/spec/replicas","value":0}]']] },
    passes = { [[kubectl patch deployment web -p '{"spec":{"replicas":2}}']] },
  },
  {
    id = "kubernetes.replace-force",
    severity = "medium",
    programs = KUBECTL,
    looks_at = "cmd:operands() and --force, --prune",
    when = { words = { "replace", "apply" }, flag = { "--force", "--prune" }, also = function(cmd)
      return not dry(cmd) and cmd:operands()[1]
    end },
    reason = "kubectl {detail} with --force or --prune deletes objects in order to make them anew, or because they aren't in the file.",
    advice = "Apply it without, and see the difference first.",
    suggestion = "kubectl diff -f app.yaml",
    blocked = { "kubectl replace --force -f pod.yaml", "kubectl apply --prune -l app=web -f ." },
    passes = { "kubectl apply -f app.yaml", "kubectl apply --prune --dry-run=server -f .", "kubectl replace -f pod.yaml" },
  },
  {
    id = "kubernetes.undo",
    severity = "medium",
    programs = KUBECTL,
    looks_at = "cmd:operands()",
    when = { words = { "rollout undo", "rollback", "config delete-cluster", "config delete-context", "config delete-user", "config unset", "certificate deny" }, also = function(cmd)
      return not dry(cmd)
    end },
    reason = "kubectl {detail} puts another state in the place of this one.",
    advice = "See what would change, and have the user agree.",
    suggestion = "kubectl rollout history deployment/web",
    blocked = { "kubectl rollout undo deployment/web", "kubectl config delete-cluster prod" },
    passes = { "kubectl rollout status deployment/web", "kubectl config current-context", "kubectl config use-context staging" },
  },
  {
    id = "kubernetes.helm-uninstall",
    severity = "medium",
    programs = { "helm", "helm2", "helm3" },
    looks_at = "cmd:operands()",
    when = { words = { "uninstall", "delete", "del", "un", "rollback", "secrets uninstall", "secrets delete", "secrets rollback" }, also = function(cmd)
      return not dry(cmd)
    end },
    always = function(cmd)
      local words = cmd:operands()
      return words[1] ~= "rollback" and not (words[2] and stage.is_test(words[2]))
    end,
    reason = "helm {detail} takes a release down or back, and its volumes may go with it.",
    advice = "See what it is with helm status, or try it with --dry-run.",
    suggestion = "helm uninstall shop --dry-run",
    blocked = { "helm uninstall shop", "helm delete shop --purge", "helm -n shop rollback web 2" },
    passes = { "helm list", "helm uninstall shop --dry-run", "helm upgrade --install shop ./chart" },
  },
  {
    id = "kubernetes.helm-force",
    severity = "medium",
    programs = { "helm", "helm2", "helm3" },
    looks_at = "cmd:operands() and --force, --reset-values",
    when = { words = { "upgrade" }, flag = { "--force", "--force-replace", "--reset-values" }, also = function(cmd)
      return not dry(cmd)
    end },
    reason = "helm upgrade --force deletes and recreates what it can't change, and --reset-values forgets what was set.",
    advice = "Upgrade without; helm diff or --dry-run shows what would change.",
    suggestion = "helm upgrade shop ./chart --dry-run",
    blocked = { "helm upgrade shop ./chart --force", "helm upgrade --reset-values shop ./chart" },
    passes = { "helm upgrade shop ./chart", "helm upgrade shop ./chart --force --dry-run" },
  },
  {
    id = "kubernetes.gitops-delete",
    severity = "medium",
    programs = { "argocd", "flux", "helmfile", "velero", "istioctl", "linkerd", "cilium", "kn", "rancher", "skaffold", "tilt", "garden", "devspace", "okteto", "telepresence", "kapp", "kluctl", "werf", "calicoctl", "vcluster", "func", "faas-cli", "fission", "kubeless", "odo", "kubecfg", "karmadactl", "kubefed", "crossplane", "kots", "kustomizer", "carvel", "timoni", "cmctl", "kyverno", "longhornctl", "loft", "up" },
    looks_at = "the first verb among the operands",
    when = function(cmd)
      local found = verbs.find(cmd, TAKES_DOWN, { context = true, ctx = true, login = true, logout = true, completion = true, plugin = true })
      if not found and cmd.name == "argocd" and cmd:operands()[1] == "app" and not cmd:flag("--help") then
        found = cmd:flag("--auto-prune") and "app set --auto-prune" or nil
      end
      return found and cmd.name .. " " .. found
    end,
    always = function(cmd)
      local found = cmd.name .. " " .. (verbs.find(cmd, TAKES_DOWN) or "")
      if not RELEASES:match(found) or cmd:flag("--cascade") == "false" then
        return false
      elseif cmd.name == "velero" or cmd.name == "kn" then
        return cmd:flag("--all") ~= false
      end
      for _, name in ipairs(cmd:operands()) do
        if stage.is_test(name) then
          return false
        end
      end
      return true
    end,
    always_for = { "argocd", "flux", "helmfile", "velero", "istioctl", "cilium", "kn", "kapp", "kluctl", "timoni", "vcluster", "okteto", "werf" },
    reason = "{detail} takes down what the cluster runs, or the backups of it.",
    advice = "Look at what it is, and have the user agree.",
    suggestion = "argocd app get shop",
    blocked = { "argocd app delete shop", "flux uninstall", "velero backup delete nightly", "helmfile destroy" },
    passes = { "argocd app list", "flux get kustomizations", "velero backup get" },
  },
  {
    id = "kubernetes.sync-prune",
    severity = "medium",
    programs = { "argocd" },
    looks_at = "cmd:operands() and --prune, --force, --replace",
    when = { words = { "app sync" }, flag = { "--prune", "--force", "--replace" }, unless = UNLESS },
    reason = "A sync with prune or force deletes what the repository doesn't name any more.",
    advice = "See the difference first, and sync without.",
    suggestion = "argocd app diff shop",
    blocked = { "argocd app sync shop --prune" },
    passes = { "argocd app sync shop", "argocd app sync shop --prune --dry-run" },
  },
  {
    id = "kubernetes.cluster-delete",
    severity = "medium",
    programs = { "kind", "minikube", "k3d", "kops", "kubeadm", "microk8s", "k0s", "k0sctl", "rke", "talosctl", "clusterctl", "crc", "k3s" },
    looks_at = "the first verb among the operands; --yes of kops",
    when = function(cmd)
      if cmd:flag("--plan") then
        return nil
      elseif cmd.name == "k3s" and cmd:flag("--cluster-reset") then
        return "k3s --cluster-reset"
      elseif cmd.name == "kops" and cmd:flag("--yes", "-y", "--force") and re.match(cmd:subcommand() or "", "^(update|rolling-update|replace|upgrade)$") and not verbs.idle(cmd) then
        return "kops " .. cmd:subcommand() .. " --yes"
      end
      if cmd.name == "kops" and not cmd:flag("--yes", "-y") then
        return nil -- it only shows what it would do
      end
      local found = verbs.find(cmd, CLUSTER, { context = true, config = true, profile = true, image = true, kubeconfig = true, addons = true, cache = true })
      return found and cmd.name .. " " .. found
    end,
    always = function(cmd) -- those of a laptop are made again
      return cmd.name == "kubeadm" or cmd.name == "kops" or cmd.name == "talosctl" or cmd.name == "k0sctl" or cmd.name == "rke"
    end,
    reason = "{detail} takes a cluster or its nodes away, with all that runs there.",
    advice = "Stop it instead, or have the user agree.",
    suggestion = "minikube stop",
    blocked = { "kind delete cluster", "minikube delete --all", "k3d cluster delete dev", "kubeadm reset -f", "minikube kubectl -- delete ns shop" },
    passes = { "kind get clusters", "k3s kubectl get pods", "minikube stop", "k3d cluster list" },
  },
  {
    id = "kubernetes.uninstall-script",
    severity = "high",
    programs = { "k3s-uninstall.sh", "k3s-agent-uninstall.sh", "k3s-killall.sh", "rke2-uninstall.sh", "rke2-killall.sh", "rancher-system-agent-uninstall.sh" },
    looks_at = "the name of the program",
    when = function(cmd)
      return not verbs.idle(cmd) and cmd.name
    end,
    always = function(cmd)
      return cmd.name:find("uninstall", 1, true)
    end,
    reason = "{detail} takes the cluster off this machine, with all that runs there.",
    advice = "Have the user do it.",
    suggestion = "systemctl status k3s",
    blocked = { "/usr/local/bin/k3s-uninstall.sh" },
    passes = { "cat /usr/local/bin/k3s-uninstall.sh" },
  },
  {
    id = "kubernetes.access",
    severity = "medium",
    programs = KUBECTL,
    looks_at = "roles that are bound to cluster-admin; oc adm policy",
    when = { words = { "create clusterrolebinding", "create rolebinding", "adm policy", "auth reconcile" }, also = function(cmd)
      local o = cmd:operands()
      if dry(cmd) then
        return nil
      elseif o[1] == "adm" then
        return re.match(o[3] or "", "^(add|remove)-") and o[3]
      elseif o[1] == "auth" then
        return cmd:flag("--remove-extra-permissions", "--remove-extra-subjects") and "auth reconcile"
      end
      local role = cmd:flag("--clusterrole")
      return type(role) == "string" and re.match(role, "admin$") and role
    end },
    reason = "This gives or takes rights over the cluster ({detail}).",
    advice = "Bind the role that is needed, in its namespace, and have the user agree.",
    suggestion = "kubectl create rolebinding kim --clusterrole=view --user=kim -n shop",
    blocked = { "kubectl create clusterrolebinding all --clusterrole=cluster-admin --group=system:authenticated", "oc adm policy add-cluster-role-to-user cluster-admin kim" },
    passes = { "kubectl create rolebinding kim --clusterrole=view --user=kim", "kubectl get clusterrolebindings" },
  },
  {
    id = "kubernetes.all-labels",
    severity = "medium",
    programs = KUBECTL,
    looks_at = "label and annotate with --all",
    when = { words = { "label", "annotate" }, flag = { "--all" }, also = function(cmd)
      return not dry(cmd) and not cmd:flag("--list")
    end },
    reason = "kubectl {detail} --all changes what selectors find, on every object at once.",
    advice = "Name the object, and see the selectors first.",
    suggestion = "kubectl label pod web-0 tier=front",
    blocked = { "kubectl label nodes --all tier=x --overwrite" },
    passes = { "kubectl label pod web-0 tier=front", "kubectl label --list pods --all" },
  },
  {
    id = "kubernetes.plugin",
    severity = "medium",
    programs = KUBECTL,
    looks_at = "a plugin's first verb among the operands",
    when = function(cmd)
      local first = cmd:operands()[1]
      if not first or OF_KUBECTL:match(first) then
        return nil
      end
      local found = verbs.find(cmd, PLUGIN)
      return found and cmd.name .. " " .. found
    end,
    reason = "{detail} takes down what the cluster runs, or turns it over.",
    advice = "Look at what it is, and have the user agree.",
    suggestion = "kubectl cnpg status db",
    blocked = { "kubectl cnpg destroy db 1", "kubectl argo rollouts undo web" },
    passes = { "kubectl cnpg status db", "kubectl argo rollouts get rollout web" },
  },
  {
    id = "kubernetes.change",
    severity = "medium",
    level = "strict",
    programs = KUBECTL,
    looks_at = "cmd:operands()",
    when = { words = { "apply", "patch", "edit", "replace", "scale", "set", "rollout restart", "autoscale", "taint", "label", "annotate" }, also = function(cmd)
      return not dry(cmd) and cmd:operands()[1] ~= "get"
    end },
    reason = "kubectl {detail} changes what the cluster runs.",
    advice = "Show the difference first.",
    suggestion = "kubectl diff -f app.yaml",
    blocked = { "kubectl apply -f app.yaml", "kubectl patch deployment web -p x", "kubectl rollout restart deployment/web" },
    passes = { "kubectl diff -f app.yaml", "kubectl apply --dry-run=server -f app.yaml", "kubectl get pods" },
  },
} }
