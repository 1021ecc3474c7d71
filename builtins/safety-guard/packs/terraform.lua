-- Infrastructure as code: commands that destroy machines, or lose track of them.

local verbs = require("verbs")

local TERRAFORM = { "terraform", "tofu", "terragrunt", "opentofu", "tf" }
local HELP = { "-help", "--help", "-h" }

-- The operands that say what to do: terragrunt also has it after "run-all", "run --" and "stack run".
local function verb(cmd)
  local o = cmd:operands()
  local i = 1
  while cmd.name == "terragrunt" and (o[i] == "run-all" or o[i] == "run" or o[i] == "stack" or o[i] == "exec") do
    i = i + 1
  end
  return o[i], o[i + 1]
end

-- variable returns what a variable is for a command: by itself, or by an export before.
local function variable(cmd, scene, name)
  local value = cmd.env[name]
  for _, other in ipairs(not value and scene.commands or {}) do
    if other == cmd then
      break
    elseif other.name == "export" then
      for _, word in ipairs(other.args) do
        value = word:match("^" .. name .. "=(.*)$") or value
      end
    end
  end
  return value or ""
end

-- set returns the options that the environment gives to a command of terraform.
local function set(cmd, scene, verb)
  return " " .. variable(cmd, scene, "TF_CLI_ARGS") .. " " .. variable(cmd, scene, "TF_CLI_ARGS_" .. (verb or "")) .. " "
end

local DESTROYS = patterns.later([[ --?destroy(?:=true)? ]])
local APPROVES = patterns.later([[ --?auto-approve(?:=true)? ]])
local YES = patterns.later([[(?i)^(?:1|true|yes)$]])

-- planned reports whether an earlier command of the line has made the plan that is applied, and it destroys.
local function planned(cmd, scene)
  local plan = cmd:operands()[2]
  for _, other in ipairs(plan and scene.commands or {}) do
    if other == cmd then
      return false
    elseif other.name == cmd.name and other:operands()[1] == "plan" and (other:flag("-destroy", "--destroy") or DESTROYS:match(set(other, scene, "plan"))) then
      local out = other:flag("-out", "--out")
      if type(out) == "string" and path.clean(out) == path.clean(plan) then
        return true
      end
    end
  end
  return false
end

-- approved reports whether the question whether to go on is answered beforehand: by an option, or by what is piped in.
local function approved(cmd, scene)
  if cmd:flag("-auto-approve", "--auto-approve", "--non-interactive", "--terragrunt-non-interactive") then
    return true
  elseif APPROVES:match(set(cmd, scene, cmd:subcommand())) or YES:match(variable(cmd, scene, "TG_NON_INTERACTIVE")) or YES:match(variable(cmd, scene, "TERRAGRUNT_NON_INTERACTIVE")) then
    return true
  end
  local input = cmd.input
  return input and (re.match(input.text, [[^\s*yes\s*$]]) or #input.from > 0 and input.from[1].name == "yes") or false
end

local function shown(cmd)
  return cmd:flag("-help", "--help", "-h") ~= false
end

-- Arguments with which a module removes or stops something: "state=absent", {"state": "absent"}.
local TAKES_AWAY = patterns.later([[(?i)\bstate["']?\s*[=:]\s*["']?(?:absent|stopped|terminated|poweredoff)]])

-- Playbooks and tags that say so by their names.
local PLAYBOOK = patterns.later([[(?i)(?:^|[-_.,])(?:destroy|teardown|tear[-_]down|decommission|wipe|nuke|uninstall|purge|delete|remove|terminate|cleanup|reset)(?:[-_.,]|$)]])

-- Scripts of a project that destroy what it has built.
local SCRIPT = patterns.later([[^((tf|terraform|infra|stack|cdk|env|pulumi|cluster|prod|production|staging|dev)[-_:])?(destroy|nuke)([-_:](all|infra|stack|env|prod|production|staging|dev|cluster))?$]])
local RUN = patterns.later([[^(cdk|sst|sls|serverless|pulumi|cdktf) (destroy|remove)( |$)]])

local PUPPET = verbs.pattern([[clean|purge|destroy|deactivate|revoke|delete]])

-- Modules that disrupt without such arguments, and tasks of salt.
local DISRUPTS = patterns.later([[(^|\.)(reboot|parted|filesystem|lvol)$]])
local SALT = patterns.later([[(^|\s)(system\.(reboot|shutdown|poweroff|halt)|file\.remove|pkg\.(remove|purge)|service\.(stop|disable))(\s|$)]])

return { class = "terraform", title = "Terraform and its like", rules = {
  {
    id = "terraform.destroy",
    severity = "high",
    programs = TERRAFORM,
    looks_at = "cmd:operands(), -destroy, also in TF_CLI_ARGS, and the plan that the line has made",
    when = function(cmd, scene)
      local first, second = verb(cmd)
      if shown(cmd) then
        return nil
      elseif first == "destroy" or first == "destroy-all" then
        return first
      elseif first == "apply" and (cmd:flag("-destroy", "--destroy") or DESTROYS:match(set(cmd, scene, "apply")) or planned(cmd, scene)) then
        return "apply -destroy"
      elseif first == "stack" and second == "destroy" then
        return "stack destroy"
      end
    end,
    always = true,
    reason = "{detail} takes down everything that this configuration has built.",
    advice = "Show what would go with plan -destroy, and have the user do it.",
    suggestion = "terraform plan -destroy",
    blocked = { "terraform destroy", "terraform -chdir=prod destroy -auto-approve", "tofu apply -destroy", "terragrunt run-all destroy" },
    passes = { "terraform plan -destroy", "terraform destroy -help", "terraform plan" },
  },
  {
    id = "terraform.auto-approve",
    severity = "medium",
    programs = TERRAFORM,
    looks_at = "cmd:flag(\"-auto-approve\"), also in TF_CLI_ARGS",
    when = function(cmd, scene)
      local first = verb(cmd)
      return (first == "apply" or first == "apply-all" or first == "refresh") and not shown(cmd) and not cmd:flag("-destroy", "--destroy")
        and approved(cmd, scene) and first or nil
    end,
    reason = "{detail} changes what is running, without showing the plan first.",
    always = function(cmd) -- what is there is destroyed first
      return cmd:flag("-replace", "--replace") ~= false
    end,
    advice = "Write the plan to a file and have the user look at it.",
    suggestion = "terraform plan -out=shop.tfplan",
    blocked = { "terraform apply -auto-approve", "tofu -chdir=prod apply --auto-approve" },
    passes = { "terraform plan -out=shop.tfplan", "terraform apply shop.tfplan", "terraform validate" },
  },
  {
    id = "terraform.state",
    severity = "medium",
    programs = TERRAFORM,
    looks_at = "cmd:operands()",
    when = function(cmd)
      local first, second = verb(cmd)
      if shown(cmd) or cmd:flag("-dry-run", "--dry-run") then
        return nil
      elseif first == "state" and (second == "rm" or second == "remove" or second == "push" or second == "mv" or second == "move" or second == "replace-provider")
        or first == "workspace" and second == "delete" or first == "env" and second == "delete" or first == "backend" and second == "delete" then
        return first .. " " .. second
      elseif first == "taint" or first == "force-unlock" then
        return first
      elseif first == "init" and cmd:flag("-force-copy", "--force-copy") then
        return "init -force-copy"
      elseif first == "clean" and second == nil and cmd:subcommand() == "stack" then
        return "stack clean"
      end
    end,
    always = function(cmd) -- with the state in it
      local first, second = verb(cmd)
      return first == "workspace" and second == "delete" and cmd:flag("-force", "--force")
    end,
    reason = "{detail} changes what terraform knows of the machines that it has built.",
    advice = "Read the state first, and have the user agree.",
    suggestion = "terraform state list",
    blocked = { "terraform state rm aws_instance.web", "terraform workspace delete dev", "terraform force-unlock 1234", "tofu taint aws_instance.web" },
    passes = { "terraform state list", "terraform workspace select dev", "terraform state show aws_instance.web", "terraform state rm -dry-run aws_instance.web" },
  },
  {
    id = "terraform.apply",
    severity = "medium",
    level = "strict",
    programs = TERRAFORM,
    looks_at = "cmd:operands()",
    when = function(cmd)
      local first = verb(cmd)
      return (first == "apply" or first == "apply-all" or first == "import" or first == "untaint") and not shown(cmd) and first or nil
    end,
    reason = "{detail} changes what is running.",
    advice = "Show the plan first.",
    suggestion = "terraform plan",
    blocked = { "terraform apply", "tofu apply shop.tfplan", "terraform import aws_instance.web i-1" },
    passes = { "terraform plan", "terraform apply -help" },
  },
  {
    id = "terraform.pulumi",
    severity = "high",
    programs = { "pulumi" },
    looks_at = "cmd:operands()",
    when = { words = { "destroy", "down", "dn", "stack rm", "stack remove" }, unless = { "--help", "-h", "--preview-only" } },
    always = true,
    reason = "pulumi {detail} takes down everything in this stack, or forgets that it is there.",
    advice = "Show what would go, and have the user do it.",
    suggestion = "pulumi destroy --preview-only",
    blocked = { "pulumi destroy --yes", "pulumi -C infra destroy", "pulumi stack rm dev --force" },
    passes = { "pulumi preview", "pulumi destroy --preview-only", "pulumi stack ls" },
  },
  {
    id = "terraform.pulumi-change",
    severity = "medium",
    programs = { "pulumi" },
    looks_at = "cmd:operands() and --yes",
    when = { words = { "up", "update", "refresh", "state delete", "state move", "state upgrade", "state unprotect", "stack import", "import", "cancel", "config rm", "config rm-all", "watch", "deployment run", "deployment cancel", "deployment pause", "policy disable", "policy rm", "env rm", "esc env rm", "state rename", "stack rename", "stack change-secrets-provider" },
      unless = { "--help", "-h", "--preview-only" }, also = function(cmd, scene)
        local first = cmd:operands()[1]
        return (first ~= "up" and first ~= "update" and first ~= "refresh" and first ~= "import") or cmd:flag("-y", "--yes", "-f", "--skip-preview") ~= false or YES:match(variable(cmd, scene, "PULUMI_SKIP_CONFIRMATIONS"))
      end },
    reason = "pulumi {detail} changes what is running or what is known of it, without showing a plan first.",
    advice = "Show what would change with pulumi preview.",
    suggestion = "pulumi preview",
    blocked = { "pulumi up --yes", "pulumi state delete urn:pulumi:x", "pulumi cancel" },
    passes = { "pulumi preview --diff", "pulumi up", "pulumi config get region" },
  },
  {
    id = "terraform.cdk",
    severity = "medium",
    programs = { "cdk", "aws-cdk", "cdktf", "sst", "copilot", "chalice", "zappa", "ampx", "nitric", "waypoint", "cdktf-cli" },
    looks_at = "cmd:operands()",
    when = { words = { "destroy", "remove", "delete", "undeploy", "terminate", "app delete", "env delete", "svc delete", "job delete", "service delete", "gc", "rollback", "sandbox delete", "project destroy", "svc pause" }, unless = { "--help", "-h", "--dry-run" } },
    always = { words = { "destroy", "remove", "delete", "app delete", "env delete", "undeploy", "terminate" } },
    reason = "{detail} takes down what this app has deployed.",
    advice = "Show what is there, and have the user do it.",
    suggestion = "cdk diff",
    blocked = { "cdk destroy", "cdk -a app.js destroy --all --force", "npx cdk destroy ShopStack" },
    passes = { "cdk diff", "cdk ls -l", "cdk destroy --help", "cdk deploy" },
  },
  {
    id = "terraform.script",
    severity = "medium",
    programs = { "make", "gmake", "just", "task", "npm", "yarn", "pnpm", "bun" },
    looks_at = "the name of the script that is run: destroy, tf-destroy, cdk destroy",
    when = function(cmd)
      local o = cmd:operands()
      local first = (o[1] == "run" or o[1] == "run-script") and 2 or 1
      if cmd:flag("-n", "--dry-run", "--help") or first == 1 and cmd.name == "npm" then
        return nil
      elseif o[first] and (SCRIPT:match(o[first]) or RUN:match(table.concat(o, " ", first))) then
        return cmd.name .. " " .. table.concat(o, " ", 1, math.min(#o, first + 1))
      end
    end,
    reason = "{detail} says by its name that it takes down what was built.",
    advice = "Look at the script, and have the user run it.",
    suggestion = "terraform plan -destroy",
    blocked = { "make destroy", "npm run tf:destroy", "yarn cdk destroy ShopStack" },
    passes = { "make build", "npm run cdk diff", "make -n destroy" },
  },
  {
    id = "terraform.cdk-context",
    severity = "medium",
    programs = { "cdk", "cdktf" },
    looks_at = "cmd:operands() and --reset, --clear, --require-approval",
    when = function(cmd)
      local first = cmd:operands()[1]
      if cmd:flag("--help") then
        return nil
      elseif first == "context" and cmd:flag("--reset", "-e", "--clear") then
        return "context --reset"
      elseif first == "deploy" and cmd:flag("--auto-approve") then
        return "deploy --auto-approve"
      elseif first == "deploy" and cmd:flag("--require-approval") == "never" then
        return "deploy --require-approval never"
      end
    end,
    reason = "cdk {detail} makes the next deployment differ from what was looked at.",
    advice = "Show the difference first.",
    suggestion = "cdk diff",
    blocked = { "cdk context --reset vpc", "cdk context --clear", "cdk deploy --require-approval never" },
    passes = { "cdk context", "cdk deploy", "cdk synth" },
  },
  {
    id = "terraform.ansible",
    severity = "medium",
    programs = { "ansible", "ansible-playbook", "ansible-console" },
    looks_at = "cmd:flag(): -m, -a, -e",
    when = function(cmd)
      if cmd:flag("--help", "-h", "-C", "--check", "--list-hosts", "--list-tasks", "--syntax-check", "--version") then
        return nil
      end
      if cmd.name == "ansible-playbook" then
        for _, file in ipairs(cmd:operands()) do
          if PLAYBOOK:match(path.base(file)) then
            return path.base(file)
          end
        end
        local tags = cmd:flag("-t", "--tags")
        if type(tags) == "string" and PLAYBOOK:match(tags) then
          return "--tags " .. tags
        end
      end
      local arguments, extra, module = cmd:flag("-a", "--args"), cmd:flag("-e", "--extra-vars"), cmd:flag("-m", "--module-name")
      if type(arguments) == "string" and TAKES_AWAY:match(arguments) then
        return arguments
      elseif type(extra) == "string" and TAKES_AWAY:match(extra) then
        return extra
      elseif type(module) == "string" and DISRUPTS:match(module) then
        return module
      end
    end,
    reason = "Ansible does this on every machine that it reaches: {detail}.",
    advice = "Try it with --check on a single machine.",
    suggestion = "ansible web -m file -a 'path=/srv/old state=absent' --check",
    blocked = { "ansible web -m file -a 'path=/srv/old state=absent'", "ansible-playbook site.yml -e state=absent", "ansible all -m reboot" },
    passes = { "ansible all -m ping", "ansible-playbook site.yml --check", "ansible web -a uptime", "ansible-playbook -i hosts site.yml" },
  },
  {
    id = "terraform.nuke",
    severity = "high",
    programs = { "aws-nuke", "azure-nuke", "gcp-nuke", "cloud-nuke", "awsweeper" },
    looks_at = "--no-dry-run; for cloud-nuke the words without --dry-run",
    when = function(cmd)
      local o = cmd:operands()
      if verbs.idle(cmd) then
        return nil
      elseif cmd.name == "cloud-nuke" then
        return (o[1] == "aws" or o[1] == "defaults-aws" or o[1] == "gcp") and "cloud-nuke " .. o[1] or nil
      elseif cmd.name == "awsweeper" then
        return #o > 0 and cmd.name or nil
      end
      return cmd:flag("--no-dry-run") and cmd.name or nil
    end,
    reason = "{detail} deletes everything in an account.",
    advice = "Show what would go, and have the user do it.",
    suggestion = "aws-nuke run -c nuke.yml",
    blocked = { "aws-nuke -c nuke.yml --no-dry-run", "cloud-nuke aws --force" },
    passes = { "aws-nuke -c nuke.yml", "cloud-nuke aws --dry-run" },
  },
  {
    id = "terraform.machines",
    severity = "medium",
    programs = { "vagrant", "nomad", "salt", "salt-key", "salt-call", "knife", "packer", "juju", "bosh", "puppet", "puppetserver", "nixops" },
    looks_at = "cmd:operands() and options of single programs",
    when = function(cmd)
      local o = cmd:operands()
      local first, second = o[1], o[2]
      if cmd:flag("--help", "-help", "-h") or cmd:flag("--dry-run") then
        return nil
      elseif cmd.name == "salt-key" then
        return cmd:flag("-d", "--delete", "-D", "--delete-all") and "deleting keys" or nil
      elseif cmd.name == "puppet" or cmd.name == "puppetserver" or cmd.name == "nixops" then
        local found = verbs.find(cmd, PUPPET)
        for _, word in ipairs(o) do
          found = found or first == "resource" and not cmd:flag("--noop") and re.match(word, "^ensure=(absent|stopped|purged)$") and "resource " .. word or nil
        end
        return found and cmd.name .. " " .. found
      elseif cmd.name == "salt" or cmd.name == "salt-call" then
        local task = table.concat(o, " ", cmd.name == "salt" and 2 or 1)
        return SALT:match(task) and task or nil
      elseif cmd.name == "packer" then
        return cmd:flag("-force", "--force") and first == "build" and "build -force" or nil
      elseif cmd.name == "nomad" and (first == "stop" or second == "stop" or second == "purge" or second == "delete" or second == "deregister" or second == "revert" or second == "fail" or second == "force-leave" or o[3] == "remove-peer" or o[3] == "restore" or second == "scale" and o[#o] == "0" or first == "system" and second == "gc" or second == "drain")
        or first == "destroy" or first == "destroy-model" or first == "destroy-controller" or first == "kill-controller" or cmd.name == "juju" and text.starts_with(first or "", "remove-")
        or (cmd.name == "vagrant" and (first == "box" and (second == "remove" or second == "prune") or first == "snapshot" and (second == "delete" or second == "restore")))
        or (cmd.name == "knife" and (second == "delete" or second == "bulk" or o[3] == "delete"))
        or cmd.name == "bosh" and (text.starts_with(first or "", "delete-") or first == "clean-up" or first == "stop" and cmd:flag("--hard")) then
        return second and first .. " " .. second or first
      end
    end,
    reason = "{detail} takes machines or what is kept of them away.",
    advice = "Stop them instead, or have the user agree.",
    suggestion = "vagrant halt",
    blocked = { "vagrant destroy -f", "nomad job stop -purge web", "salt-key -D -y" },
    passes = { "vagrant status", "vagrant halt", "nomad job status web" },
  },
} }
