-- What commands print, as far as it is secret: files, the environment, and what programs keep.

local names = require("names")
local secretfile = require("secretfile")
local set = rules.set

local content = {}

local PUBLIC = patterns.later([[(?i)\.(pub|crt|cer|csr)$|(^|/)(cert|ca|fullchain|chain)[^/]*\.pem$]])
local KEYS = patterns.later([[(?:^|/)(?:id_[a-z0-9]+(?:_sk)?|\.ssh|\.gnupg|\.aws|\.ssh/[^/]+|\.gnupg/.+|\.aws/.+|\.kube/config|\.netrc|\.git-credentials|\.pgpass|\.vault-token|\.docker/config\.json|\.config/(?:gh|gcloud|op)/.+|\.oci/.+|]] ..
  [[\.pypirc|\.cargo/credentials[^/]*|\.claude/\.credentials\.json|\.codex/auth\.json|opencode/auth\.json|\.gemini/[^/]+|\.qwen/[^/]+)$]])
-- Files in which only a leak finds a secret: what somebody has typed.
local TYPED = patterns.later([[(?:^|/)\.(?:bash|zsh|sh|python|psql|mysql|sqlite|node_repl|rediscli|mongo)_history$|(?:^|/)fish_history$]])

-- secret returns the secret file that a path of a command is or may stand for, and whether it is a key of the user's
-- rather than the project's.
function content.secret(target, glob, cmd, scene)
  local file = { path = target, glob = glob, cmd = cmd }
  local kind = not PUBLIC:match(target) and (secretfile.kind(file, scene) or TYPED:match(target) and path.base(target)) or nil
  local says = path.base(target):gsub("%b[]", ""):find("%w") -- .* is all that there is
  for _, meant in ipairs((kind or not says or PUBLIC:match(target)) and {} or names.meant(target)) do
    file.path = meant
    kind = secretfile.kind(file, scene)
    if kind then
      break
    end
  end
  return kind, kind and (KEYS:match(file.path) or file.path:sub(1, 5) == "/etc/") and true or false
end

local secret = content.secret

-- Programs that print names of files, and those that are given names and print them.
local LISTS = set("find fd fdfind ls eza exa tree grep egrep rg ag locate plocate mdfind realpath readlink git")
local ECHOES = set("echo printf print")
local SOUGHT = set("-name -iname -path -ipath -wholename -iwholename -lname -regex -iregex")

-- Patterns of names that keys have.
local KEY_NAMES = patterns.later([[(?i)^\*?[._-]?\*?\.?(?:pem|key|p12|pfx|ppk|jks|kdbx|keystore|env|ovpn)\*?$|^\*_(?:rsa|dsa|ecdsa|ed25519)|^\*?id_|(?:^|[/*.])ssh[/*]|\*(?:secret|credential|password)s?\*?(?:\.\w+)?$]])

-- The secret file among the names that a command prints.
local function lists(cmd, scene)
  local name = cmd.name
  if ECHOES[name] then
    for _, word in ipairs(cmd.words) do
      local kind, key = secret(word.text, word.glob, cmd, scene)
      if kind then
        return kind, key
      end
    end
  elseif LISTS[name] and not cmd.remote then
    local public = false
    for i, word in ipairs(cmd.args) do
      if name == "find" and SOUGHT[word] and cmd.args[i + 1] and cmd.args[i - 1] ~= "!" and cmd.args[i - 1] ~= "-not" then
        local wanted = cmd.args[i + 1]:gsub("^%*/", "")
        public = public or PUBLIC:match(wanted) or re.match(wanted, "^(known_hosts|config|authorized_keys)")
        local kind, key = secret(wanted, wanted:find("[*?[]") ~= nil, cmd, scene)
        if not kind and KEY_NAMES:match(wanted) then
          kind, key = wanted, false
        end
        if kind then
          return kind, key
        end
      end
    end
    for _, file in ipairs(cmd:files("read")) do
      local kind, key = secretfile.folder(file.path), true
      if not kind and name ~= "find" then
        kind, key = secret(file.path, file.glob, cmd, scene)
      end
      if kind and not public then
        return kind, key
      end
    end
  end
end

-- Programs that are given the names of what they pack on standard input.
local PACKS_LISTED = set("cpio pax tar gtar bsdtar zip rsync")

-- listed returns the secret file among those whose names another command gives to cmd: what find starts it with, and the
-- output of find, ls and the like in its arguments.
function content.listed(cmd, scene)
  local above = cmd
  for _ = 1, #cmd.via do
    above = above.parent
    if not above then
      break
    elseif above.name == "find" or above.name == "fd" or above.name == "fdfind" then
      local kind, key = lists(above, scene)
      if kind then
        return kind, key
      end
    elseif above.name == "xargs" or above.name == "parallel" then
      for _, list in ipairs({ above.input and above.input.from or {}, above.told }) do
        for _, source in ipairs(list) do
          local kind, key = lists(source, scene)
          if kind then
            return kind, key
          end
        end
      end
    end
  end
  for _, list in ipairs({ cmd.told, PACKS_LISTED[cmd.name] and cmd.input and cmd.input.from or {} }) do
    for _, source in ipairs(list) do
      local kind, key = lists(source, scene)
      if kind then
        return kind, key
      end
    end
  end
end

-- Programs whose output says nothing of what they read, or only a part that isn't secret.
local SILENT = set("test [ ls stat find wc md5sum sha1sum sha256sum sha512sum shasum cksum b2sum sum file ssh-keygen ssh-add chmod chown cp mv rm touch mkdir du dirname basename realpath readlink " ..
  "echo printf curl wget docker kubectl ssh git npm node python python3 ruby php make source . export")
-- Those that bash can't open a socket for, but are told to write to one.
local COPY = set("cp mv ln dd install gcp rsync")

local ENVIRONMENT = { env = true, printenv = true, set = true, export = true, declare = true, typeset = true }

-- prints_environment reports whether a command prints all of the environment.
function content.prints_environment(cmd)
  local name = cmd.name
  if not ENVIRONMENT[name] then
    return false
  end
  for _, word in ipairs(cmd.args) do
    if name == "env" and word ~= "-0" and word ~= "--null" or name == "printenv" and word:sub(1, 1) ~= "-" or word:sub(1, 1) ~= "-" then
      return false
    end
  end
  return true
end

-- Programs that print what is in a database.
local DUMPS = set("pg_dump pg_dumpall mysqldump mariadb-dump mongodump mongoexport")

local DEPTH = 6

-- Programs that leave only a part of what they read, such as one setting.
local PICKS = set("grep egrep rg cut awk gawk jq yq")
content.LOGIN = patterns.later([[(?:^|/)(?:id_[a-z0-9]+(?:_sk)?|\.ssh|\.ssh/[^/]+)$]])

-- Words by which settings are picked that are secrets.
content.SECRET_WORDS = patterns.later("(?i)key|token|secret|passw|credential")

local LOGIN, SECRET_WORDS = content.LOGIN, content.SECRET_WORDS
-- What picks nothing: a pattern for every line, a program that prints every line.
local EVERYTHING = patterns.later([=[^(?:[.^$*]*|1|\{ ?print(?: \$0)?;? ?\}|\.\[?\]?|\^\[\^#\]|=)$]=])

-- picks reports whether a command leaves only a part of what it reads, such as one setting.
function content.picks(cmd)
  return PICKS[cmd.name or ""] and not cmd:flag("-v", "--invert-match") and not EVERYTHING:match(cmd:operands()[1] or "x")
end

local picks = content.picks

-- Programs that print a secret which is kept elsewhere.
local METADATA = [[(169\.254\.169\.254|metadata\.google\.internal|169\.254\.170\.2)/]]
local KEEPERS = { docker = "^(container )?inspect|^compose config", podman = "^(container )?inspect", curl = METADATA, wget = METADATA,
  aws = "^(secretsmanager (batch-)?get-secret-value|ssm get-parameter|configure (export-credentials|get )|sts (get-session-token|assume-role)|ecr(-public)? get-(login|authorization)|iam create-access-key|kms decrypt)",
  vault = "^(kv get|read|print token|token create)", bao = "^(kv get|read|print token|token create)", op = "^(read|item get|document get|inject)", gcloud = [[^secrets versions access|^auth (application-default )?print-]],
  pass = "^[^ ]+", gopass = "^(show|cat)", kubectl = "^(get secrets?|create token|config view|extract secret|view-secret)", oc = "^(get secrets?|create token|whoami|extract secret)",
  az = "^(keyvault secret (show|download)|account get-access-token|acr (credential show|login)|storage account keys list|ad sp create-for-rbac)", doppler = "^(secrets|configs tokens)",
  gh = "^auth (token|status)", glab = "^auth (token|status)|^config get token", security = "^(find-(generic|internet)-password|dump-keychain|export)", ["secret-tool"] = "^(lookup|search)", git = "^credential fill|^credential-",
  keyring = "^get", lpass = "^(show|export)", bw = "^(get|export|list)", rbw = "^(get|code)", bws = "^secret (get|list)", heroku = "^(auth:token|config|pg:credentials:url)", fly = "^(auth token|tokens create)", flyctl = "^(auth token|tokens create)",
  npm = "^(token create|config get .*_(authToken|auth|password))", yarn = "^config get npmAuthToken", terraform = "^(state pull|output|show)", tofu = "^(state pull|output|show)", pulumi = "^(stack export|config)", sops = "^(decrypt|-d)",
  ["ansible-vault"] = "^(view|decrypt)", chamber = "^(read|export|env)", credstash = "^(get|getall)", infisical = "^(export|secrets)", ["aws-vault"] = "^export", ["1password"] = "^read", firebase = "^login:ci", ["gnome-keyring"] = "^",
  keyctl = "^(print|pipe|read)", wg = "^(showconf|show .* private-key)", argocd = "^(account generate-token|admin initial-password)", vercel = "^env", railway = "^variables", stripe = "^config", rails = "^credentials:show" }

-- keeps returns whose secrets a command prints, if it is a program that keeps some.
function content.keeps(cmd)
  local name = cmd.name or ""
  local pattern = KEEPERS[name]
  if pattern and re.match(table.concat(cmd:operands(), " "), pattern) then
    return name ~= "gh" or cmd:operands()[2] == "token" or cmd:flag("-t", "--show-token") and name or nil
  elseif (name == "sops" or name == "age" or name == "gpg" or name == "gpg2") and cmd:flag("-d", "--decrypt") then
    return name
  end
  return name:find("^docker%-credential%-") and cmd.args[1] == "get" or name:find("^git%-credential%-") and cmd.args[1] == "get"
end

local INTERPRETER = patterns.later("^(python|pypy|perl|ruby|node|nodejs|php|deno|bun)[0-9.]*$")
local READS = [=[(?:open\s*\(?\s*(?:my\s+)?[$\w]+\s*,|open|read\w*|readFileSync|file_get_contents|readfile|File(?:\.\w+)?|Path|slurp|createReadStream|expanduser|expand_path|resolve|join|fopen|file|upload_file\w*|put_object)\s*\(?\s*(?:[\w.:]+\(\s*)?(?:[rbf]?["'][<r]?["'],\s*)?["']([^"'\n]+)["']|\b\w+\s*=\s*["']([^"'\n]+)["']\s*[;\n]]=]
local QUOTED = [["[^"\n]+"|'[^'\n]+']]
-- How programs name a key that only opens the way, or look at names alone.
local OPENS = patterns.later([[(?i)key_filename|load_cert_chain|keyfile|privateKey|from_private_key|IdentityFile|\bcert\s*=|\bkey:\s*\w*\.?readFile|load_dotenv|dotenv|listdir|readdir|\bglob\b|exists|\bstat\b]])
local WHOLE_ENVIRONMENT = patterns.later([[\bos\.environ\b(?:\.copy\(\)|\.items\(\))?\s*(?:[),;}]|$)|\bprocess\.env\b\s*(?:[),;}]|$)|\bENV(?:\.to_h|\.to_a|\.inspect|\.to_json)?\s*(?:[),;}]|$)|[%]ENV\b|\$_ENV\s*[),;]|\bgetenv\(\s*\)|\$_SERVER\s*[),;]|Deno\.env\.toObject\(\)]])
local ENDS = patterns.later([[^(?:-c|-e|-r|-p|-pe|-E|-ne|-le|--eval|--print)$]])
local MANY = 20

-- program returns the text of a program in another language that stands in the line; nil if there is none.
function content.program(cmd)
  if not INTERPRETER:match(cmd.name or "") then
    return nil
  end
  for i, word in ipairs(cmd.args) do
    if ENDS:match(word) then
      return cmd.args[i + 1]
    elseif word:sub(1, 1) ~= "-" and word ~= "eval" then
      return nil
    end
  end
  return cmd.input and cmd.input.text ~= "" and cmd.input.text or nil
end

-- program_reads returns the secret file, or "the environment", that a program in another language reads.
function content.program_reads(source, cmd, scene)
  for _, match in ipairs(re.find_all(source, READS, MANY)) do
    local found = re.captures(match, READS)
    local name = found and (found[1] ~= "" and found[1] or found[2]) or ""
    local kind, key = secret(name, false, cmd, scene)
    if kind then
      return kind, key
    end
  end
  for _, match in ipairs(OPENS:match(source) and {} or re.find_all(source, QUOTED, MANY)) do
    local kind, key = secret(match:sub(2, -2), false, cmd, scene)
    if kind and key then
      return kind, key
    end
  end
  for _, other in ipairs(scene.commands or {}) do
    if other.parent == cmd and other.via[#other.via] ~= ">()" then
      local kind, key = content.printed(other, scene, 2)
      if kind then
        return kind, key
      end
    end
  end
  if WHOLE_ENVIRONMENT:match(source) then
    return "the environment", false
  end
end

-- What goes into a command as >(cmd): the commands with that in a word or a redirection.
local function poured(cmd, scene)
  local list = {}
  for _, other in ipairs(scene.commands or {}) do
    local into = false
    for _, redirect in ipairs(other.redirects) do
      into = into or redirect.target:sub(1, 2) == ">(" and redirect.target:find(cmd.name or "", 1, true)
    end
    for _, word in ipairs(other.words) do
      into = into or word.dynamic and word.text:sub(1, 2) == ">(" and word.text:find(cmd.name or "", 1, true)
    end
    if into and other ~= cmd then
      list[#list + 1] = other
    end
  end
  return list
end

-- sources lists the commands that write what a command reads on its standard input.
function content.sources(cmd, scene)
  local from = cmd.input and cmd.input.from or {}
  if from[1] or cmd.via[#cmd.via] ~= ">()" then
    return from
  end
  return poured(cmd, scene)
end

-- Folders whose keys are for tests, or somebody else's.
local OTHERS = patterns.later([[(^|/)(tests?|__tests__|spec|fixtures?|testdata|examples?|samples?|docs?|vendor|node_modules|\.?venv|site-packages|target|dist|build)/]])

-- below returns the first file with secrets in a folder of the project, or in one directly in it. Where there is no
-- project to look at, the whole of one counts as having some. Passed may say that one doesn't count.
function content.below(folder, scene, passed)
  local place = scene:where({ path = folder, dynamic = false, glob = false })
  if place ~= "here" and place ~= "inside" then
    return nil
  elseif not scene.cwd or not host.there(scene.cwd) then
    return place == "here" and not (passed and passed(".env")) and "the whole project" or nil
  end
  for _, name in ipairs(path.is_abs(folder) and host.below(folder) or {}) do
    local kind = not OTHERS:match(name) and not PUBLIC:match(name) and secretfile.kind({ path = path.join(folder, name) }, scene)
    if kind and not (passed and passed(name)) then
      return name
    end
  end
end

-- Whether a file stands among those that zip leaves out.
local function is_left_out(cmd, target)
  local behind = false
  for _, word in ipairs(cmd.name == "zip" and cmd.args or {}) do
    if word:sub(1, 1) == "-" then
      behind = word == "-x" or word == "--exclude"
    elseif behind and path.base(word) == path.base(target) then
      return true
    end
  end
  return false
end

local PACKERS = set("tar gtar bsdtar zip 7z 7za 7zz")
-- Options by which a list says what is packed, or what isn't.
local BY_LIST = { "-T", "--files-from", "-X", "--exclude-from", "--exclude-vcs-ignores", "-i", "--include" }

-- packed returns what a command packs with secrets in it: the home folder, or a file of the project.
function content.packed(cmd, scene)
  if not PACKERS[cmd.name or ""] then
    return nil
  end
  local patterns = {}
  for _, word in ipairs(cmd.args) do
    local pattern = word:gsub("^%-%-exclude=", ""):gsub("^%-xr?!", ""):gsub("^%./", ""):gsub("^%*+/", ""):gsub("/%**$", "")
    if pattern:find("%w") and pattern:sub(1, 1) ~= "-" then
      patterns[#patterns + 1] = pattern
    end
  end
  local function left_out(name)
    for _, pattern in ipairs(patterns) do
      if path.match(pattern, name) or path.match(pattern, path.base(name)) or path.match(pattern, path.dir(name)) then
        return true
      end
    end
    return false
  end
  for _, file in ipairs(cmd:files("read")) do
    if file.path == scene.home or file.path == "~" or file.path == "/" then
      return "the home folder"
    end
    local target = file.glob and file.path:gsub("/%*$", "") or file.path
    if not file.dynamic and (not file.glob or target ~= file.path) and not cmd:flag(unpack(BY_LIST)) then
      local kind = content.below(target, scene, function(name)
        return left_out(name) or file.glob and name:sub(1, 1) == "."
      end)
      if kind then
        return kind
      end
    end
  end
end

local function prints(cmd, scene, depth)
  if depth > DEPTH or cmd.remote and not cmd.mounted then
    return nil
  elseif content.prints_environment(cmd) then
    return "the environment", false
  elseif cmd.name and cmd.name:sub(1, 3) == "gpg" and cmd:flag("--export-secret-keys", "--export-secret-subkeys") then
    return "the secret keys", true
  elseif DUMPS[cmd.name or ""] or cmd.name == "sqlite3" and re.match(cmd.args[#cmd.args] or "", "^\\.(dump|backup|clone)\\b") then
    return "a database", false
  elseif cmd.name == "history" or cmd.name == "fc" and cmd:flag("-l") then
    return "what has been typed", false
  elseif cmd.name == "git" and (cmd:subcommand() == "archive" or cmd:subcommand() == "bundle") then
    return "the repository", false
  elseif content.keeps(cmd) then
    return "what " .. cmd.name .. " keeps", false
  end
  local name = cmd.name or ""
  if not SILENT[name] then
    local unknown = false
    for _, file in ipairs(cmd:files("read")) do
      unknown = unknown or file.dynamic
      local kind, key = secret(file.path, file.glob or file.dynamic, cmd, scene)
      if kind and (not picks(cmd) or LOGIN:match(file.path)) and not is_left_out(cmd, file.path) then
        return kind, key
      end
    end
    if unknown or PACKS_LISTED[name] or name ~= "xargs" and name ~= "parallel" and cmd.via[#cmd.via] == "xargs" then
      local kind, key = content.listed(cmd, scene)
      if kind and not picks(cmd) then
        return kind, key
      end
    end
  end
  local packed = content.packed(cmd, scene)
  if packed then
    return packed, false
  end
  local source = content.program(cmd)
  if source then
    local kind, key = content.program_reads(source, cmd, scene)
    if kind then
      return kind, key
    end
  end
  for _, list in ipairs({ content.sources(cmd, scene), cmd.told }) do
    for _, other in ipairs(list) do
      local kind, key = content.printed(other, scene, depth + 1)
      if kind and (not picks(cmd) or LOGIN:match(kind) or SECRET_WORDS:match(table.concat(cmd.args, " "))) then
        return kind, key
      end
    end
  end
end

local function nothing()
  return {}
end

-- printed returns what a command prints: the first secret file that it reads, "the environment" or the like, and whether
-- that is a key of the user's. Each command is looked at once.
function content.printed(cmd, scene, depth)
  local known = scene:once("leaks.printed", nothing)
  if known[cmd] == nil then
    known[cmd] = false -- where it reads what it prints
    local kind, key = prints(cmd, scene, depth)
    known[cmd] = kind and { kind, key } or false
  end
  if known[cmd] then
    return unpack(known[cmd], 1, 2)
  end
end

-- copied is printed for a command that may write to a device by itself.
function content.copied(cmd, scene)
  if COPY[cmd.name] then
    for _, file in ipairs(cmd:files("read", "delete")) do
      local kind, key = secret(file.path, file.glob, cmd, scene)
      if kind then
        return kind, key
      end
    end
  end
  return content.printed(cmd, scene, 1)
end

local PIPES = set("mkfifo mknod")

local function by_pipes(commands)
  for _, cmd in ipairs(commands) do
    if PIPES[cmd.name] then
      return true
    end
  end
  return false
end

local function by_writers(commands)
  local places, writers = {}, {}
  for i, cmd in ipairs(commands) do
    places[cmd] = i
    for _, file in ipairs(cmd:files("write")) do
      writers[file.path] = writers[file.path] or {}
      table.insert(writers[file.path], cmd)
    end
  end
  return { places = places, writers = writers }
end

-- staged returns what is in a file that the line has written before, or writes into a pipe of that name: the secret file
-- that was copied or packed into it.
function content.staged(target, cmd, scene)
  local anywhere = scene:once("leaks.pipes", by_pipes)
  local line = scene:once("leaks.writers", by_writers)
  for _, other in ipairs(line.writers[target] or {}) do
    if not anywhere and line.places[other] >= (line.places[cmd] or 0) then
      return nil
    end
    if other ~= cmd then
      for _, read in ipairs(other:files("read", "delete")) do
        local kind, key = secret(read.path, read.glob, other, scene)
        if kind and not is_left_out(other, read.path) then
          return kind, key
        end
      end
      local kind, key = content.printed(other, scene, 1)
      if kind then
        return kind, key
      end
    end
  end
end

return content
