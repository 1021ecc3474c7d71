only("ask-before-apply.lua")

test_each({
  "tofu apply plan.out", "sudo -E terraform apply", [[bash -c "terraform destroy"]], "pulumi -C infra up --yes",
  "npx cdk deploy --all",
  "terragrunt run --all apply", "terragrunt apply", "terraform plan -out p && terraform apply p",
  "for d in a b; do terraform -chdir=$d apply; done", "cat envs | xargs -I{} terraform destroy",
  "TF_VAR_x=1 /usr/local/bin/terraform apply",
}, "asks: %s", function(command)
  local r = fire("pre_tool_call", command)
  expect(r.decision):is("ask")
  expect(r.reason):contains("infrastructure")
end)

test_each({
  "terraform plan", [[terraform plan -out "$FILE"]], "terraform init && terraform validate",
  "terraform output apply", "echo terraform apply",
  "grep -r 'terraform destroy' docs",
  "terragrunt run-all plan", "pulumi preview", "cdk diff", "apply terraform", "terraform --version",
  "git apply x.patch",
}, "passes: %s", function(command)
  expect(fire("pre_tool_call", command).decision):is("")
end)

test("where the subcommand isn't known, that is the question", function()
  expect(fire("pre_tool_call", [[tofu "$ACTION"]]).reason):contains("can't be known")
end)
