-- Asks a person before infrastructure is changed, by terraform, pulumi and the like.
--
-- Planning is free. Where it can't be known which subcommand runs, a person looks, too.
--
-- asks: terraform apply -auto-approve
-- asks: cd infra && terraform -chdir=prod destroy
-- asks: terragrunt run-all apply
-- asks: terraform "$ACTION"
-- passes: terraform plan -destroy
-- passes: git commit -m "terraform apply comes next"
local TERRAFORM = { apply = true, destroy = true, import = true, taint = true, ["force-unlock"] = true }
local CHANGES = {
  terraform = TERRAFORM,
  tofu = TERRAFORM,
  terragrunt = TERRAFORM,
  pulumi = { up = true, update = true, destroy = true, import = true },
  cdk = { deploy = true, destroy = true, import = true },
}

on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  for _, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    local changes = CHANGES[cmd.name]
    if changes then
      local verb = cmd:subcommand()
      if verb == "run" or verb == "run-all" then -- terragrunt: what to run stands behind that
        verb = cmd:operands()[2]
      end
      if changes[verb] then
        return ask(("%s %s changes infrastructure"):format(cmd.name, verb))
      elseif not verb and cmd.dynamic then
        return ask("what " .. cmd.name .. " would do can't be known before it runs")
      end
    end
  end
end)
