-- aws: the verb, the second operand, says what a call does.

local verbs = require("verbs")

local GONE = patterns.later([[^(batch-|admin-|bulk-|force-|schedule-key-|schedule-)*(delete|deletion|terminate|purge|destroy)(-\S+)?$]])
local LESS = patterns.later([[^(batch-|admin-|bulk-|global-)*(remove|revoke|disable|deregister|detach|disassociate|cancel|reset|release|reject|decommission|deactivate|withdraw|untag|unassign|unsubscribe|close|leave|suspend|failover|sign-out|rollback|deprovision|retire|dispose|abort|expire|user-global-sign-out)(-\S+)?$]])
local STOPS = patterns.later([[^(batch-)?(stop|reboot|restart|pause|rebuild|flush)-\S+$]])
local QUERY = patterns.later([[-query(-execution)?$]])

-- Options that take a protection away, or leave nothing running.
local UNGUARDS = patterns.later([[(?i)^--no-\S*(protection|protected|enabled|versioning|backup)\S*$|PointInTimeRecoveryEnabled"?[=:]\s*false|desired(Size|Capacity|Count)"?[=:]\s*0\b]])

-- Calls that change a database or a group of machines while they are in use.
local CHANGES = patterns.later([[^(rds|redshift|elasticache|docdb|neptune|memorydb|opensearch|dms) (modify|promote|switchover|apply|update)-\S+$|^autoscaling (set-desired-capacity|update-auto-scaling-group|terminate-\S+|enter-standby)$|^(elbv2|elb|emr) modify-\S+$|^cloudfront (create-invalidation|update-distribution)$|^(ecr put-lifecycle-policy|logs put-retention-policy|cloudtrail (put-event-selectors|update-trail)|ses set-active-receipt-rule-set|cognito-idp admin-set-user-password|apigateway(v2)? update-stage)$]])

-- Verbs of ec2 that change nothing; all others change machines or their network.
local LOOKS = patterns.later([[^(describe|get|list|search|wait|export|help)(-\S+)?$|^wait$]])

-- Addresses of the whole world, and ports at which it is let in.
local WORLD = patterns.later([[(?:^|[\s=:"])(?:0\.0\.0\.0/0|::/0)]])
local SITE = patterns.later("^(?:80|443)$")

-- What is recorded of who does what.
local WATCHES = patterns.later("^(?:cloudtrail (?:stop-logging|delete-trail)|guardduty delete-detector|configservice (?:stop|delete)-configuration-recorder)$")

-- Verbs that only read, of all services.
local READS = patterns.later([[^(batch-|admin-)?(describe|get|list|head|lookup|filter|query|scan|search|test|validate|verify|estimate|simulate|generate|download|preview|check|view|wait|decode|select|detect|receive|presign|tail|ls|help|login|assume)(-\S+)?$]])
local HARMLESS = patterns.later([[^(s3 (cp|mb|sync|website|mv)|athena (start|stop)-query-execution|logs (start|stop)-query|configure \S+|sso \S+|eks update-kubeconfig|dynamodb (execute-statement|transact-get-items)|s3api select-object-content|sts \S+)$]])

-- Calls that change access.
local ACCESS = patterns.later([[^(s3api (put-(bucket-(policy|acl|ownership-controls|website|cors|lifecycle\S*|replication|versioning|encryption|logging|notification\S*)|object-(acl|lock\S*|retention|legal-hold)|public-access-block))|s3control put-\S+|kms (put-key-policy|create-grant|update-\S+)|lambda add-(layer-version-)?permission|sqs add-permission|sns add-permission|ecr set-repository-policy|organizations (create|attach|enable|move|invite|accept|update)-\S+|iam (add|attach|change|create|enable|put|set|update|upload|resync|pass)-\S+|route53 change-\S+|sso-admin (attach|create|put|provision|update)-\S+)$]])

local function gone(cmd)
  local call, verb, service = verbs.service(cmd)
  if call and service ~= "s3" and service ~= "secretsmanager" and call ~= "sqs delete-message" and GONE:match(verb) then
    return call
  end
end

-- opens reports whether a call lets everybody read what it stores.
local function opens(cmd)
  local acl, grants = cmd:flag("--acl"), cmd:flag("--grants", "--grant-read", "--grant-full-control")
  return type(acl) == "string" and text.starts_with(acl, "public-") or type(grants) == "string" and text.contains(grants, "global/AllUsers")
end

local function bucket(cmd)
  local call, verb = verbs.service(cmd)
  if call == "s3 rb" or call == "s3 rm" and cmd:flag("--recursive") or call == "s3 sync" and cmd:flag("--delete") then
    return "aws " .. call
  end
end

local function less(cmd)
  local call, verb, service = verbs.service(cmd)
  if call and service ~= "s3" and service ~= "secretsmanager" and service ~= "configure" and LESS:match(verb) then
    return call
  end
end

-- What holds data, or many other things, and can't be made again.
local KEEPS = patterns.later([[^(ec2 (terminate-instances|delete-(volume|snapshot|vpc))|rds delete-.+|(dynamodb|backup|docdb|neptune|elasticache|redshift|memorydb) delete-.+|s3api delete-(bucket|objects)|cloudformation delete-stack|]] ..
  [[(eks|ecs|kafka) delete-cluster|efs delete-file-system|(es|opensearch) delete-.*domain|kms schedule-key-deletion|secretsmanager delete-secret|route53 delete-hosted-zone|cognito-idp delete-user-pool|ecr delete-repository|]] ..
  [[workspaces terminate-workspaces|fsx delete-.+|ds delete-directory|(redshift-serverless|keyspaces|qldb|s3tables) delete-.+|opensearchserverless delete-collection|codecommit delete-repository|ecr-public delete-repository|]] ..
  [[mq delete-broker|storagegateway delete-.+|elasticbeanstalk (terminate-environment|delete-application)|acm-pca delete-certificate-authority|cloudhsmv2 delete-cluster|sagemaker delete-(domain|notebook-instance)|amplify delete-(app|backend-environment)|]] ..
  [[kinesis delete-stream|glacier delete-vault|sqs (purge|delete)-queue|organizations .+|glue delete-database|timestream-write delete-.+|lightsail delete-.+|logs delete-log-group|iam delete-user)$]])

-- Whether the call goes to a copy of the service on this machine.
local function is_local(cmd)
  local address = cmd:flag("--endpoint-url")
  return type(address) == "string" and re.match(address, [[^https?://(localhost|127\.|localstack|minio)]])
end

return {
  {
    id = "cloud.aws-delete",
    severity = "high",
    programs = { "aws" },
    looks_at = "the service and the verb of an aws call",
    when = gone,
    always = function(cmd)
      local call = verbs.service(cmd)
      return call and KEEPS:match(call) and not is_local(cmd)
    end,
    reason = "aws {detail} deletes for good what others may use.",
    advice = "Look at it with describe or list, and ask the user to delete it.",
    suggestion = "aws ec2 describe-instances",
    blocked = { "aws ec2 terminate-instances --instance-ids i-1", "aws rds delete-db-instance --db-instance-identifier shop --skip-final-snapshot", "aws ecr batch-delete-image --repository-name web --image-ids imageTag=old", "aws --profile prod kms schedule-key-deletion --key-id k" },
    passes = { "aws ec2 describe-instances --filters Name=tag:Name,Values=delete-me", "aws ec2 terminate-instances help", "aws dynamodb query --table-name delete-log" },
  },
  {
    id = "cloud.aws-bucket",
    severity = "high",
    programs = { "aws" },
    looks_at = "aws s3 rb, rm --recursive, sync --delete",
    when = bucket,
    always = function(cmd)
      return (cmd:operands()[2] ~= "sync" or verbs.is_empty(cmd:operands()[3])) and not is_local(cmd)
    end,
    reason = "{detail} deletes everything that is stored there.",
    advice = "Show what it would delete with --dryrun, and ask the user to run it.",
    suggestion = "aws s3 rm s3://shop/old --recursive --dryrun",
    blocked = { "aws s3 rb s3://shop --force", "aws s3 rm s3://shop/old --recursive", "aws s3 sync dist s3://shop --delete" },
    passes = { "aws s3 sync dist s3://shop", "aws s3 sync dist s3://shop --delete --dryrun", "aws s3 ls s3://shop/rm", "aws s3 mb s3://shop" },
  },
  {
    id = "cloud.aws-object",
    severity = "medium",
    programs = { "aws" },
    looks_at = "aws s3 rm",
    when = function(cmd)
      return verbs.service(cmd) == "s3 rm"
    end,
    reason = "aws s3 rm deletes a stored object; without versioning it is gone.",
    advice = "Keep a copy of it first.",
    suggestion = "aws s3 cp s3://shop/a.txt s3://shop-old/a.txt",
    blocked = { "aws s3 rm s3://shop/a.txt" },
    passes = { "aws s3 cp s3://shop/a.txt a.txt", "aws s3 rm help" },
  },
  {
    id = "cloud.aws-remove",
    severity = "medium",
    programs = { "aws" },
    looks_at = "the service and the verb of an aws call",
    when = less,
    always = { words = { "organizations close-account", "organizations leave-organization", "organizations remove-account-from-organization" } },
    reason = "aws {detail} takes something away that others may rely on.",
    advice = "Ask the user whether anybody does.",
    suggestion = "aws sqs get-queue-attributes --queue-url q",
    blocked = { "aws sqs remove-permission --queue-url q --label p", "aws cognito-idp admin-disable-user --user-pool-id p --username kim", "aws iam detach-role-policy --role-name r --policy-arn a" },
    passes = { "aws iam list-attached-role-policies --role-name r", "aws configure set region eu-west-1" },
  },
  {
    id = "cloud.aws-stop",
    severity = "medium",
    programs = { "aws" },
    looks_at = "the service and the verb of an aws call",
    when = function(cmd)
      local call, verb, service = verbs.service(cmd)
      if not call or service == "ec2" then
        return nil
      elseif STOPS:match(verb) and not QUERY:match(verb) or CHANGES:match(call) then
        return call
      elseif READS:match(verb) or re.match(verb, "^(create|run|start|put-object|deploy)") then
        return nil
      end
      for _, name in ipairs({ "--desired-count", "--reserved-concurrent-executions", "--backup-retention-period", "--desired-capacity", "--max-capacity" }) do
        if cmd:flag(name) == "0" then
          return call .. " " .. name .. " 0"
        end
      end
      for _, word in ipairs(cmd.args) do
        local found = UNGUARDS:find(word)
        if found then
          return call .. " with " .. found
        end
      end
    end,
    always = function(cmd)
      return WATCHES:match(verbs.service(cmd) or "")
    end,
    reason = "aws {detail} stops or changes what may be in use.",
    advice = "Ask the user whether it is.",
    suggestion = "aws rds describe-db-instances",
    blocked = { "aws rds stop-db-instance --db-instance-identifier shop", "aws ecs stop-task --task t", "aws elasticache reboot-cache-cluster --cache-cluster-id c", "aws rds modify-db-instance --db-instance-identifier shop --db-instance-class db.t3.micro", "aws ecs update-service --service shop --desired-count 0" },
    passes = { "aws athena stop-query-execution --query-execution-id q", "aws ecs list-tasks", "aws ecs update-service --service shop --desired-count 2" },
  },
  {
    id = "cloud.aws-machines",
    severity = "medium",
    programs = { "aws" },
    looks_at = "aws ec2 with a verb that changes something",
    when = function(cmd)
      local call, verb, service = verbs.service(cmd)
      return service == "ec2" and not LOOKS:match(verb) and call or nil
    end,
    always = function(cmd) -- a way in for the whole world, but to what a site serves
      local _, verb = verbs.service(cmd)
      return verb == "authorize-security-group-ingress" and WORLD:match(table.concat(cmd.args, " ")) and not SITE:match(tostring(cmd:flag("--port")))
    end,
    reason = "aws {detail} changes machines or their network, and may cost money.",
    advice = "Try it with --dry-run, and ask the user to run it.",
    suggestion = "aws ec2 run-instances --image-id ami-1 --dry-run",
    blocked = { "aws ec2 run-instances --image-id ami-1", "aws ec2 start-instances --instance-ids i-1", "aws ec2 authorize-security-group-ingress --group-id sg-1 --cidr 0.0.0.0/0" },
    passes = { "aws ec2 describe-vpcs", "aws ec2 start-instances --instance-ids i-1 --dry-run", "aws ec2 wait instance-running --instance-ids i-1" },
  },
  {
    id = "cloud.aws-change",
    severity = "medium",
    level = "strict",
    programs = { "aws" },
    looks_at = "the service and the verb of an aws call: all that don't only look",
    when = function(cmd)
      local call, verb = verbs.service(cmd)
      return call and not READS:match(verb) and not HARMLESS:match(call) and call or nil
    end,
    reason = "aws {detail} changes what is rented.",
    advice = "Show the user the change that you want.",
    suggestion = "aws lambda get-function --function-name shop",
    blocked = { "aws lambda update-function-code --function-name shop --zip-file fileb://f.zip", "aws sns publish --topic-arn t --message m" },
    passes = { "aws lambda get-function --function-name shop", "aws s3 cp a s3://shop/a", "aws configure list" },
  },
  {
    id = "cloud.aws-access",
    severity = "medium",
    programs = { "aws" },
    looks_at = "the service and the verb of an aws call",
    when = function(cmd)
      local call = verbs.service(cmd)
      return call and (ACCESS:match(call) or opens(cmd) and not is_local(cmd)) and call or nil
    end,
    always = function(cmd)
      return opens(cmd) and not is_local(cmd)
    end,
    reason = "aws {detail} changes who may do what, or what the world sees.",
    advice = "Show the user the change that you want.",
    suggestion = "aws s3api get-bucket-policy --bucket shop",
    blocked = { "aws s3api put-bucket-policy --bucket shop --policy file://p.json", "aws iam attach-user-policy --user-name kim --policy-arn a", "aws s3 cp a s3://shop/a --acl public-read" },
    passes = { "aws s3 cp a s3://shop/a --acl private", "aws s3api put-object --bucket shop --key a --body a", "aws iam get-user" },
  },
}
