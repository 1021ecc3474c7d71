-- Containers, their volumes and images, and a container's access to its machine.

local given = require("given")
local listed = require("later")("listed")
local stage = require("stage")
local verbs = require("verbs")

local DOCKER = { "docker", "podman", "nerdctl", "finch", "podman-remote" }
local COMPOSE = { "docker-compose", "podman-compose" }
local ALL = { "docker", "podman", "nerdctl", "finch", "podman-remote", "docker-compose", "podman-compose" }
local IS_DOCKER = rules.set("docker podman nerdctl finch podman-remote")
local HELP = { "--help" }

-- Whether the containers come from a listing that selects some of them, as in  docker ps -q --filter name=test |
-- xargs docker rm -f
local function from_filter(cmd)
  local parent = cmd.parent
  if cmd.via[#cmd.via] ~= "xargs" or not parent or not parent.input then
    return false
  end
  for _, source in ipairs(parent.input.from) do
    if source:flag("--filter", "-f") then
      return true
    end
  end
  return false
end

local function not_from_filter(cmd)
  return not from_filter(cmd)
end

-- The containers or images that aren't named but listed by another command: all of them.
local function unnamed(cmd)
  if from_filter(cmd) then
    return false
  end
  for _, word in ipairs(cmd.words) do
    if word.dynamic and word.text:find("$(", 1, true) or word.text:find("`", 1, true) then
      return true
    end
  end
  return cmd.via[#cmd.via] == "xargs"
end

-- lists reports whether docker ps lists every container, and not those of a project or a filter.
local function lists(source)
  local o = IS_DOCKER[source.name] and source:operands()
  if not o then
    return nil
  end
  local verb = o[1] == "container" and o[2] or o[1]
  return (verb == "ps" or o[1] == "container" and (verb == "ls" or verb == "list")) and not source:flag("--filter", "-f", "-l", "--latest", "-n", "--last")
end

-- Whether what docker rm is given are all containers of the machine.
local function gets_all(cmd)
  return listed.all(cmd, lists)
end

-- Whether one of the operands is called as what is for tests.
local function names_test(cmd)
  for i, name in ipairs(cmd:operands()) do
    if i > 1 and stage.is_test(name) then
      return true
    end
  end
  return false
end

-- Programs whose deletions in a container are looked at.
local REMOVERS = { rm = true, find = true, shred = true, rsync = true, git = true }

-- Whether the containers are those of tests, by the names of their file or project.
-- Names of volumes in which package managers and compilers keep what they make again.
local MADE_AGAIN = patterns.later([[cache|(^|[_.-])(node[_-]?modules|venv|vendor|bundle|gems|pip|npm|pnpm|yarn|cargo([_-](registry|target))?|go[_-]?mod|gomodcache|m2|gradle|build|dist|target|next|tmp)$]])

local function for_tests(cmd)
  for _, name in ipairs({ cmd:flag("-f", "--file"), cmd:flag("-p", "--project-name"), cmd.env.COMPOSE_FILE or false, cmd.env.COMPOSE_PROJECT_NAME or false }) do
    if type(name) == "string" and stage.is_test(path.base(name)) then
      return true
    end
  end
  return stage.for_tests(cmd)
end

local function to_stay(cmd)
  return not for_tests(cmd)
end

local RUNS = { "run", "create", "container run", "container create", "compose run", "service create" }

-- What takes a machine, its disk, its network or its state away.
local MACHINE = verbs.pattern([[delete|purge|destroy|undefine|unregistervm|vol-wipe|terminate|closemedium|restore|revert|rollback|reset|factory-reset|prune|remove|rm|poweroff|free|deleteVM|deleteSnapshot|revertToSnapshot]] ..
  [[|\S+-(delete|destroy|undefine|revert|remove|uninstall|forget)|\S+\.(destroy|rm|remove|revert|unregister)]])

-- Of those what deletes the disk of a machine, by itself or with an option.
local DISK = patterns.later([[^(?:(?:lxc|incus) (?:delete|rm|storage volume (?:delete|rm)|storage delete|project delete)|(?:qm|pct) destroy|pvesm free|limactl (?:delete|rm|factory-reset|disk (?:delete|rm))|colima delete|orb(?:ctl)? (?:delete|reset)|prlctl delete|tart delete|utmctl delete|machinectl remove|vmrun deleteVM|govc vm\.destroy|xe (?:vm-destroy|vm-uninstall|vdi-destroy)|rdctl (?:factory-reset|reset)|podman machine (?:rm|reset)|finch vm (?:rm|remove)|multipass purge|virsh vol-(?:delete|wipe)|wsl --unregister|lxc-destroy)$]])
local WITH_DISK = {
  multipass = { "-p", "--purge" }, virsh = { "--remove-all-storage", "--storage", "--wipe-storage" },
  VBoxManage = { "--delete", "--delete-all" }, vboxmanage = { "--delete", "--delete-all" },
}

-- machine returns the words of a call that takes a machine, its disk, its network or its state away.
local function machine(cmd)
  local first = cmd:operands()[1]
  if cmd.name == "podman" and first ~= "machine" or cmd.name == "finch" and first ~= "vm" then
    return nil
  elseif cmd.name == "wsl" then
    return not verbs.idle(cmd) and cmd:flag("--unregister") and "wsl --unregister" or nil
  elseif cmd.name == "lxc-destroy" then
    return not verbs.idle(cmd) and cmd.name or nil
  end
  local found = verbs.find(cmd, MACHINE)
  return found and cmd.name .. " " .. found
end

-- Signals with which a program goes on or ends by itself.
local GENTLE = patterns.later([[(?i)^(?:SIG)?(?:HUP|USR1|USR2|WINCH|TERM|INT|CONT|1|2|10|12|15|28)$]])

return { class = "containers", title = "Containers", rules = {
  {
    id = "containers.mount",
    severity = "high",
    programs = ALL,
    looks_at = "cmd:files(): what -v, --volume and --mount give to a container",
    when = { words = RUNS, unless = HELP, also = given.mounts },
    always = given.root,
    reason = "This hands {detail} of the machine to a container, which can change everything in it as root.",
    advice = "Mount only the folder that the container needs.",
    suggestion = "docker run --rm -v ./src:/src alpine ls /src",
    blocked = { "docker run -v /:/host alpine sh", "docker run --mount type=bind,src=/etc,dst=/e alpine"},
    passes = { "docker run --rm -v ./src:/src alpine ls", "docker run -v pgdata:/var/lib/postgresql/data postgres", "docker run -v /etc/localtime:/etc/localtime:ro alpine date" },
  },
  {
    id = "containers.mounted",
    severity = "high",
    needs = { "remote" },
    remote = true,
    looks_at = "cmd:remote_files(\"delete\") in a container, and the mounts of cmd.parent",
    when = function(cmd, scene)
      return REMOVERS[cmd.name or ""] and given.deletes(cmd, scene)
    end,
    always = true,
    reason = "In the container this is {detail} of this machine: deleted there, it is gone here.",
    advice = "Delete what you mean by its own name.",
    suggestion = "docker run --rm -v pgdata:/data alpine rm -rf /data/tmp",
    blocked = { "docker run --rm -v ./src:/src alpine rm -rf /src", "docker run -v pgdata:/data alpine sh -c 'rm -rf /data/*'" },
    passes = { "docker run --rm -v .:/src alpine rm -rf /src/build", "docker run --rm -v pgdata:/data alpine rm -rf /data/tmp", "docker run --rm -v .:/src alpine ls /src" },
  },
  {
    id = "containers.socket",
    severity = "medium",
    programs = ALL,
    looks_at = "cmd:files(): what -v, --volume and --mount give to a container",
    when = { words = RUNS, unless = HELP, also = given.socket },
    reason = "With {detail} a container can start any other container, and so become root of the machine.",
    advice = "Run it without, or have the user agree.",
    suggestion = "docker run --rm -v ./src:/src alpine ls /src",
    blocked = { "docker run -v /var/run/docker.sock:/var/run/docker.sock cli", "podman run -v /run/podman/podman.sock:/s.sock cli" },
    passes = { "docker run -v /tmp/app.sock:/app.sock web", "docker context ls" },
  },
  {
    id = "containers.privileged",
    severity = "medium",
    programs = ALL,
    looks_at = "cmd:flag(): --privileged, --cap-add, --device, --pid, --userns, --security-opt",
    when = { words = { "run", "create", "exec", "container run", "container create", "container exec", "compose run", "compose exec", "service create" }, unless = HELP,
      also = given.opened },
    reason = "With {detail} a container isn't isolated any more: it can do to the machine what root can.",
    advice = "Run it without, or give it the single device or port that it needs.",
    suggestion = "docker run --rm --device /dev/ttyUSB0 alpine ls",
    blocked = { "docker run --privileged alpine", "docker run --cap-add SYS_ADMIN alpine", "docker exec --privileged web sh", "docker run --pid=host alpine ps" },
    passes = { "docker run --cap-add NET_BIND_SERVICE alpine", "docker run --rm alpine echo --privileged", "docker run alpine echo --cap-add ALL", "docker run --help --privileged" },
  },
  {
    id = "containers.prune-volumes",
    severity = "high",
    remote = true,
    programs = DOCKER,
    looks_at = "cmd:operands() and --volumes",
    when = function(cmd)
      local o = cmd:operands()
      if cmd:flag("--help") then
        return nil
      elseif o[1] == "volume" and o[2] == "prune" or o[1] == "system" and o[2] == "reset" then
        return o[1] .. " " .. o[2]
      elseif o[1] == "system" and o[2] == "prune" and cmd:flag("--volumes") then
        return "system prune --volumes"
      end
    end,
    always = true,
    reason = "{detail} deletes the data in every volume that no container happens to use right now.",
    advice = "List them with docker volume ls --filter dangling=true, and have the user name those that may go.",
    suggestion = "docker volume ls --filter dangling=true",
    blocked = { "docker volume prune -f", "docker system prune -a --volumes", "podman system reset --force" },
    passes = { "docker volume ls", "docker volume inspect pgdata", "docker system df" },
  },
  {
    id = "containers.prune",
    severity = "medium",
    remote = true,
    programs = DOCKER,
    looks_at = "cmd:operands()",
    when = { words = { "system prune", "container prune", "image prune", "images prune", "network prune", "pod prune" }, unless = { "--help", "-h", "--volumes" } },
    always = function(cmd) -- stopped containers with what is in them, other projects' too
      local o = cmd:operands()
      return o[1] == "system" or (o[1] == "container" or o[1] == "pod") and not cmd:flag("--filter")
    end,
    reason = "{detail} deletes everything that isn't in use right now, of every project on this machine.",
    advice = "Remove what you made, by its name.",
    suggestion = "docker rm web-test",
    blocked = { "docker system prune -af", "docker --log-level debug container prune", "docker image prune -a" },
    passes = { "docker system df", "docker builder prune", "docker image ls" },
  },
  {
    id = "containers.volume-rm",
    severity = "medium",
    remote = true,
    programs = DOCKER,
    looks_at = "cmd:operands()",
    when = { words = { "volume rm", "volume remove" }, unless = HELP },
    always = function(cmd)
      for i, name in ipairs(cmd:operands()) do
        if i > 2 and not stage.is_test(name) and not MADE_AGAIN:match(name) then
          return true
        end
      end
      return false
    end,
    reason = "{detail} deletes a volume with all the data in it.",
    advice = "Look at what is in it, and have the user agree.",
    suggestion = "docker volume inspect pgdata",
    blocked = { "docker volume rm pgdata", "podman volume rm -f pgdata" },
    passes = { "docker volume ls", "docker volume create pgdata" },
  },
  {
    id = "containers.compose-volumes",
    severity = "high",
    remote = true,
    programs = { "docker", "podman", "nerdctl", "finch", "podman-remote", "docker-compose", "podman-compose", "sail", "nhost", "dip", "warden", "okteto" },
    looks_at = "cmd:operands() and -v, also of programs that run compose",
    when = { words = { "compose down", "down", "env down" }, flag = { "-v", "--volumes" }, unless = { "--help", "--dry-run" } },
    always = to_stay,
    reason = "compose down -v deletes the project's volumes with all the data in them.",
    advice = "Stop it without -v; the volumes stay.",
    suggestion = "docker compose down",
    blocked = { "docker compose down -v", "docker-compose -f dev.yml down --volumes", "vendor/bin/sail down -v" },
    passes = { "docker compose down", "docker compose down --remove-orphans", "docker compose -f dev.yml up -d", "vendor/bin/sail down" },
  },
  {
    id = "containers.compose-renew",
    severity = "medium",
    remote = true,
    programs = ALL,
    looks_at = "cmd:operands() and -V",
    when = { words = { "compose up", "up" }, flag = { "-V", "--renew-anon-volumes" }, unless = { "--help", "--dry-run" } },
    always = to_stay,
    reason = "compose up -V makes the volumes that have no name anew, and what is in them is lost.",
    advice = "Start it without -V; the volumes stay.",
    suggestion = "docker compose up -d",
    blocked = { "docker compose up -d -V", "docker-compose up --renew-anon-volumes" },
    passes = { "docker compose up -d", "docker compose up --build --force-recreate", "docker-compose -V" },
  },
  {
    id = "containers.compose-images",
    severity = "medium",
    programs = ALL,
    looks_at = "cmd:operands() and --rmi",
    when = { words = { "compose down", "down" }, flag = { "--rmi" }, unless = { "--help", "--dry-run", "-v", "--volumes" } },
    reason = "compose down --rmi deletes the images, those that others use, too.",
    advice = "Stop it without --rmi.",
    suggestion = "docker compose down",
    blocked = { "docker compose down --rmi all" },
    passes = { "docker compose down -t 5", "docker compose build" },
  },
  {
    id = "containers.compose-rm",
    severity = "medium",
    programs = ALL,
    looks_at = "cmd:operands() and -f, -s, -v",
    when = { words = { "compose rm", "rm" }, flag = { "-f", "--force", "-s", "--stop", "-v", "--volumes" }, unless = { "--help", "--dry-run" }, also = function(cmd)
      local first = cmd:operands()[1]
      return first == "compose" or cmd.name:find("-compose", 1, true) ~= nil
    end },
    always = function(cmd) -- the data in volumes without a name
      return cmd:flag("-v", "--volumes") and to_stay(cmd)
    end,
    reason = "compose rm deletes containers, and all that was written into them.",
    advice = "Stop them with docker compose stop.",
    suggestion = "docker compose stop web",
    blocked = { "docker compose rm -f", "docker-compose rm -fsv web" },
    passes = { "docker compose stop", "docker compose run --rm web ls", "docker compose ps" },
  },
  {
    id = "containers.rm-force",
    severity = "medium",
    programs = DOCKER,
    looks_at = "cmd:operands() and -f, -v, -a",
    when = { words = { "rm", "container rm", "container remove", "pod rm" }, flag = { "-f", "--force", "-v", "--volumes", "-a", "--all" }, unless = HELP, also = not_from_filter },
    always = function(cmd) -- the data in volumes without a name, and all containers of the machine
      return cmd:flag("-v", "--volumes") and not names_test(cmd) or cmd:flag("-a", "--all") or gets_all(cmd)
    end,
    reason = "docker rm with force deletes containers even while they run, -v the data in their volumes, too.",
    advice = "Stop it first, and remove it without -f and -v.",
    suggestion = "docker stop web",
    blocked = { "docker rm -f web", "docker container rm -fv web", "docker ps -aq | xargs docker rm -f" },
    passes = { "docker rm web", "docker run --rm alpine ls", "docker ps -aq --filter label=test | xargs -r docker rm -f" },
  },
  {
    id = "containers.rmi-force",
    severity = "medium",
    programs = DOCKER,
    looks_at = "cmd:operands() and -f",
    when = { words = { "rmi", "image rm", "image remove" }, flag = { "-f", "--force", "-a", "--all" }, unless = HELP, also = not_from_filter },
    reason = "{detail} with force deletes images that are in use or have other names.",
    advice = "Remove it without -f.",
    suggestion = "docker rmi shop:old",
    blocked = { "docker rmi -f shop", "docker image rm --force shop" },
    passes = { "docker rmi shop:old", "docker image ls -a" },
  },
  {
    id = "containers.all",
    severity = "medium",
    programs = DOCKER,
    looks_at = "cmd.words and cmd.via: names that another command lists",
    when = { words = { "stop", "kill", "rm", "rmi", "pause", "container stop", "container kill", "container rm", "image rm" }, unless = { "--help", "-f", "--force", "-v", "--volumes" }, also = function(cmd)
      local o = cmd:operands()
      return (unnamed(cmd) or cmd:flag("-a", "--all") ~= false) and (o[1] == "container" and "container " .. o[2] or o[1])
    end },
    always = function(cmd)
      local o = cmd:operands()
      return (o[1] == "rm" or o[1] == "container" and o[2] == "rm") and gets_all(cmd)
    end,
    reason = "docker {detail} gets its names from a list, which may name everything that runs on this machine.",
    advice = "Name the container, or list with --filter and read the list first.",
    suggestion = "docker stop web",
    blocked = { "docker stop $(docker ps -q)", "docker ps -q | xargs docker kill" },
    passes = { "docker stop web db", "docker inspect $(docker ps -q)", "docker ps -q --filter name=test | xargs docker stop" },
  },
  {
    id = "containers.kill",
    severity = "medium",
    programs = ALL,
    looks_at = "cmd:operands() and --signal",
    when = { words = { "kill", "container kill", "compose kill", "pod kill" }, unless = HELP, also = function(cmd)
      local signal = cmd:flag("-s", "--signal")
      return not unnamed(cmd) and not from_filter(cmd) and not (type(signal) == "string" and GENTLE:match(signal))
    end },
    reason = "docker {detail} ends containers in the middle of what they write; a database may be damaged.",
    advice = "Stop it, which lets it finish.",
    suggestion = "docker stop web",
    blocked = { "docker kill web", "docker compose kill", "docker container kill web" },
    passes = { "docker stop web", "docker kill -s HUP web", "docker ps -q --filter name=test | xargs docker kill" },
  },
  {
    id = "containers.swarm",
    severity = "medium",
    programs = DOCKER,
    looks_at = "cmd:operands()",
    when = { words = { "stack rm", "stack remove", "stack down", "service rm", "service remove", "secret rm", "secret remove", "config rm", "config remove", "node rm", "node remove",
      "node demote", "swarm leave", "context rm", "context remove", "plugin rm", "plugin remove", "trust revoke", "kube down", "node update", "service scale", "service rollback", "plugin disable", "model rm", "sandbox rm", "manifest rm", "namespace rm", "namespace remove", "vm remove", "vm rm", "system connection rm", "system connection remove" }, unless = HELP,
      also = function(cmd)
        local o = cmd:operands()
        if o[1] == "node" and o[2] == "update" then
          return cmd:flag("--availability") == "drain"
        end
        return not (o[1] == "service" and o[2] == "scale") or table.concat(o, " "):match("=0%f[%D]") ~= nil
      end },
    always = function(cmd)
      local o = cmd:operands()
      return o[1] == "swarm" and cmd:flag("-f", "--force") or o[1] == "secret"
    end,
    reason = "docker {detail} takes something away that others rely on, and a secret or a context doesn't come back.",
    advice = "Look at it first, and have the user agree.",
    suggestion = "docker service ls",
    blocked = { "docker stack rm shop", "docker swarm leave --force", "docker secret rm token", "docker context rm staging" },
    passes = { "docker service ls", "docker service scale web=10", "docker stack ps shop", "docker secret inspect token", "docker context use staging" },
  },
  {
    id = "containers.engine",
    severity = "medium",
    programs = { "crictl", "ctr", "buildah", "skopeo", "dive", "img", "docker-machine", "regctl", "crane", "gcrane", "oras", "registry", "reg", "harbor" },
    looks_at = "cmd:operands()",
    when = { words = { "rm", "rmi", "rmp", "stopp", "stop", "kill", "delete", "c rm", "c delete", "c del", "containers del", "i rm", "i delete", "images delete", "t kill", "t rm", "content prune", "content rm", "snapshots delete", "namespaces remove", "ns rm", "blob delete", "repo delete", "artifact delete", "project delete", "garbage-collect", "prune", "containers rm", "containers delete", "container rm", "images rm", "image rm", "images prune", "tasks kill", "task kill", "task rm", "tasks rm", "namespaces rm", "snapshots rm",
      "tag rm", "manifest rm", "image delete", "tag delete", "manifest delete" }, unless = { "--help", "-h", "--dry-run" } },
    reason = "{detail} removes containers or images that others may use.",
    advice = "List them, and have the user agree.",
    suggestion = "crictl ps -a",
    blocked = { "crictl rmi --prune", "ctr -n k8s.io images rm shop", "skopeo delete docker://shop.example/web:1" },
    passes = { "crictl ps", "ctr images ls", "skopeo inspect docker://shop.example/web:1" },
  },
  {
    id = "containers.machine",
    severity = "medium",
    programs = { "podman", "lxc", "incus", "multipass", "limactl", "colima", "virsh", "VBoxManage", "vboxmanage", "prlctl", "qm", "pct", "orb", "orbctl", "tart", "utmctl", "machinectl", "toolbox", "distrobox", "lxc-destroy", "vmrun", "govc", "xe", "rdctl", "pvesm", "avdmanager", "wsl", "finch" },
    looks_at = "the first verb among the operands",
    when = machine,
    always = function(cmd) -- with its disk
      local options = WITH_DISK[cmd.name]
      return (DISK:match(machine(cmd) or "") or options and cmd:flag(unpack(options))) and not names_test(cmd)
    end,
    reason = "{detail} takes a whole machine or its disk away.",
    advice = "Stop it instead, and have the user agree that it may go.",
    suggestion = "limactl stop dev",
    blocked = { "limactl delete dev", "virsh undefine shop --remove-all-storage", "podman machine rm" },
    passes = { "limactl list", "virsh list --all", "podman machine stop" },
  },
  {
    id = "containers.remove",
    severity = "medium",
    level = "strict",
    programs = ALL,
    looks_at = "cmd:operands()",
    when = { words = { "rm", "rmi", "kill", "container rm", "container kill", "image rm", "network rm", "builder prune", "buildx prune", "buildx rm", "compose down", "compose kill", "compose rm", "down", "manifest rm" }, unless = HELP },
    reason = "docker {detail} ends or removes something that others may use.",
    advice = "Stop it instead.",
    suggestion = "docker stop web",
    blocked = { "docker rm web", "docker rmi shop:old", "docker compose down", "docker network rm shop" },
    passes = { "docker stop web", "docker compose stop", "docker ps" },
  },
} }
