-- The files that rules can be about, among those that a command only writes: most are source code, or what is built, and no
-- rule is asked about them. All that is deleted, or isn't known, is judged. TestMarkedFiles compares the answers with those where
-- each file is judged.

local marked = {}

-- What stands in the paths of such files, in small letters; ^ is the beginning of a path. Each gate of a rule, and each pattern
-- behind it, needs one of these.
marked.marks =
  -- hidden files and folders, other folders than the project's, what a home folder is written as, and drives of Windows
  "/. ^. ~ \\ : " ..
  -- agents and hooks (hookfiles.lua, files_agents.lua), and folders of programs
  "luahook opencode crush claude cline etc/ bin/ .code-workspace user/settings.json " ..
  -- what starts by itself in a home folder (keyfiles.lua)
  "library/launch powershell startup " ..
  -- the machine's own (keyfiles.lua), and devices (judge.lua)
  "^/private ^/etc ^/var ^/usr ^/lib ^/bin ^/sbin ^/library ^/system ^/applications ^/boot ^/efi ^/proc ^/sys ^/nix ^/dev physicaldrive " ..
  -- what can't be made again (precious.lua)
  "env .sqlite .s3db .sl3 .db .duckdb .mdb .accdb .rdb .aof .fdb .realm .kdbx .mdf .ldf .ibd .tfstate .pem .key .p12 .pfx .p8 .ppk .jks " ..
  "keystore .bks .agekey .dump .pgdump .sql .dev.vars id_ credential secret account adminsdk gcp dump backup htpasswd pgpass netrc my.cnf " ..
  "settings wp-config vault kubeconfig .ckpt .safetensors .pt .keras .gguf .onnx "

-- The same for each file.
marked.all = "^"

-- Paths of such files besides: the folders of hooks.
marked.files = host.hooks

-- Programs that put files into a folder under their old names.
marked.joins = "cp mv install ln rsync link"

return marked
