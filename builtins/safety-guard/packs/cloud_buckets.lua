-- Programs for stored objects: gsutil, bq, azcopy, mc, s3cmd, s5cmd, rclone.

local verbs = require("verbs")

-- The commands of gsutil about who may read what.
local ACCESS = { words = { "iam set", "iam ch", "acl set", "acl ch", "defacl set", "defacl ch", "lifecycle set", "web set", "versioning set", "retention set", "retention clear", "retention lock", "retention temp", "retention event", "retention event-default", "notification delete", "hmac delete", "cors set" } }
local access

local function unless_idle(cmd)
  return not verbs.idle(cmd)
end

return {
  {
    id = "cloud.gsutil",
    severity = "high",
    programs = { "gsutil" },
    looks_at = "gsutil rm, rb, rsync -d",
    when = function(cmd)
      local verb = cmd:subcommand()
      if not verbs.idle(cmd) and (verb == "rm" or verb == "rb" or verb == "rsync" and cmd:flag("-d") and not cmd:flag("-n")) then
        return verb
      end
    end,
    always = function(cmd)
      return cmd:subcommand() == "rb" or cmd:flag("-r", "-R", "-d") ~= false
    end,
    reason = "gsutil {detail} deletes what is stored there.",
    advice = "List it with gsutil ls, or copy without deleting.",
    suggestion = "gsutil ls gs://shop",
    blocked = { "gsutil -m rm -r gs://shop/old", "gsutil rb gs://shop", "gsutil rsync -d a gs://shop" },
    passes = { "gsutil rsync -r a gs://shop", "gsutil rsync -n -d a gs://shop", "gsutil cp gs://shop/rm ." },
  },
  {
    id = "cloud.gsutil-access",
    severity = "medium",
    programs = { "gsutil" },
    looks_at = "gsutil iam and acl",
    when = function(cmd, scene)
      local verb, acl = cmd:subcommand(), cmd:flag("-a")
      if (verb == "cp" or verb == "mv" or verb == "rsync") and type(acl) == "string" and text.starts_with(acl, "public-") then
        return verb .. " -a " .. acl
      end
      access = access or require("match").compile(ACCESS)
      return access(cmd, scene)
    end,
    reason = "gsutil {detail} changes who may read a bucket, or how long it is kept.",
    advice = "Show the user the change that you want.",
    suggestion = "gsutil iam get gs://shop",
    blocked = { "gsutil iam ch allUsers:objectViewer gs://shop", "gsutil lifecycle set l.json gs://shop" },
    passes = { "gsutil iam get gs://shop", "gsutil acl get gs://shop" },
  },
  {
    id = "cloud.bq",
    severity = "high",
    programs = { "bq" },
    looks_at = "bq rm; load, query and cp that replace a table",
    when = function(cmd)
      local verb = cmd:subcommand()
      if verbs.idle(cmd) or cmd:flag("--dry_run", "--nodry_run") then
        return nil
      elseif verb == "rm" or verb == "remove" or verb == "cancel" or verb == "remove-iam-policy-binding" then
        return verb
      elseif (verb == "load" or verb == "query") and cmd:flag("--replace") then
        return verb .. " --replace"
      elseif verb == "cp" and cmd:flag("-f", "--force") then
        return "cp -f"
      end
    end,
    always = { words = { "rm", "remove" } },
    reason = "bq {detail} deletes or replaces tables or data sets.",
    advice = "Copy the table first, or ask the user.",
    suggestion = "bq cp shop.orders shop.orders_old",
    blocked = { "bq rm -r -f shop", "bq rm shop.orders" },
    passes = { "bq ls shop", "bq show shop.rm", "bq query 'SELECT 1'" },
  },
  {
    id = "cloud.azcopy",
    severity = "high",
    programs = { "azcopy" },
    looks_at = "azcopy remove; sync --delete-destination",
    when = function(cmd)
      local verb, delete = cmd:subcommand(), cmd:flag("--delete-destination")
      if not verbs.idle(cmd) and (verb == "remove" or verb == "rm" or verb == "sync" and delete and delete ~= "false") then
        return verb
      end
    end,
    reason = "azcopy {detail} deletes what is stored there.",
    advice = "Show what it would delete with --dry-run.",
    suggestion = "azcopy list https://shop.blob.core.windows.net/c",
    blocked = { "azcopy remove https://shop.blob.core.windows.net/c --recursive", "azcopy sync a https://shop.blob.core.windows.net/c --delete-destination=true" },
    passes = { "azcopy sync a https://shop.blob.core.windows.net/c", "azcopy copy a https://shop.blob.core.windows.net/c", "azcopy sync a https://shop.blob.core.windows.net/c --delete-destination=false" },
  },
  {
    id = "cloud.minio",
    severity = "high",
    programs = { "mc", "mcli" },
    looks_at = "the verbs of mc",
    when = function(cmd)
      local operands = cmd:operands()
      if verbs.idle(cmd) then
        return nil
      end
      local verb = operands[1]
      if verb == "rm" or verb == "rb" or verb == "undo" or verb == "mirror" and cmd:flag("--remove") then
        return verb
      elseif verb == "admin" and cmd:flag("--clear", "--remove") then
        return "admin --clear"
      elseif verb == "admin" or verb == "ilm" or verb == "replicate" or verb == "event" or verb == "idp" or verb == "retention" or verb == "legalhold" or verb == "batch" or verb == "encrypt" or verb == "tag" then
        for i = 2, math.min(#operands, 4) do
          if re.match(operands[i], "^(rm|remove|delete|disable|unset|detach|clear|stop|restart|cancel|set-active|revoke|reset|decommission)$") then
            return table.concat(operands, " ", 1, i)
          end
        end
      elseif verb == "anonymous" and operands[2] == "set" or verb == "policy" and operands[2] == "set" or verb == "version" and operands[2] == "suspend" or verb == "quota" and operands[2] == "clear" then
        return verb .. " " .. operands[2]
      end
    end,
    always = function(cmd)
      local operands = cmd:operands()
      return operands[1] == "rb" or operands[1] == "rm" and cmd:flag("--recursive", "-r") and re.match(operands[2] or "", "^[^/]+/[^/]*/?$")
    end,
    reason = "mc {detail} deletes what is stored there, or revokes access to it.",
    advice = "List it with mc ls, and ask the user.",
    suggestion = "mc ls store/shop",
    blocked = { "mc rm --recursive store/shop", "mc --json rb store/shop", "mc admin user remove store kim", "mc mirror --remove a store/shop" },
    passes = { "mc ls store/shop", "mc mirror a store/shop", "mc admin info store", "mc rm --help" },
  },
  {
    id = "cloud.s3-programs",
    severity = "high",
    programs = { "s3cmd", "s5cmd" },
    looks_at = "s3cmd del and rb, sync --delete-removed; s5cmd rm and rb, sync --delete",
    when = function(cmd)
      local verb = cmd:subcommand()
      if verbs.idle(cmd) or cmd.name == "s3cmd" and cmd:flag("-n") then
        return nil
      elseif verb == "del" or verb == "rm" or verb == "rb" or re.match(verb or "", "^(expire|setpolicy|delpolicy|dellifecycle|setlifecycle|delcors|abortmp)$") or (verb == "setacl" or verb == "put" or verb == "sync" or verb == "cp") and cmd:flag("--acl-public", "-P") or verb == "sync" and cmd:flag("--delete", "--delete-removed") then
        return cmd.name .. " " .. verb
      end
    end,
    always = function(cmd)
      local verb, where = cmd:subcommand(), cmd:operands()[2] or ""
      return verb == "rb" or (verb == "del" or verb == "rm") and re.match(where, [[^s3://[^/]+/?\**$]]) and (cmd.name == "s5cmd" or cmd:flag("-r", "--recursive"))
    end,
    reason = "{detail} deletes what is stored there.",
    advice = "Show what it would delete with --dry-run.",
    suggestion = "s3cmd sync --dry-run --delete-removed a s3://shop",
    blocked = { "s3cmd del --recursive s3://shop/old", "s5cmd rm 's3://shop/*'", "s3cmd sync --delete-removed a s3://shop" },
    passes = { "s3cmd ls s3://shop", "s5cmd cp a s3://shop", "s5cmd --dry-run rm 's3://shop/*'" },
  },
  {
    id = "cloud.rclone",
    severity = "high",
    programs = { "rclone" },
    looks_at = "rclone delete, purge, sync and the like",
    when = { words = { "delete", "deletefile", "purge", "cleanup", "sync", "bisync", "rmdirs", "rmdir", "dedupe", "move", "moveto", "config delete", "rc operations/*" }, unless = { "-n", "-i", "--interactive" }, also = unless_idle },
    always = function(cmd)
      local o = cmd:operands()
      return o[1] == "delete" or o[1] == "purge" or o[1] == "sync" and verbs.is_empty(o[2])
    end,
    reason = "rclone {detail} deletes files at a place that may be the only one they are in.",
    advice = "Copy without deleting, or show what it would delete with --dry-run.",
    suggestion = "rclone copy a store:shop",
    blocked = { "rclone purge store:shop", "rclone sync a store:shop" },
    passes = { "rclone copy a store:shop", "rclone sync --dry-run a store:shop", "rclone ls store:delete" },
  },
}
