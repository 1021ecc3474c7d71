-- Files that hold secrets, and programs that reveal the content of a file.


local secretfile = {}

-- By the name alone.
local NAMED = patterns.later([[(?i)^(?:\.env(?:rc)?(?:\.[\w.-]+)?|[\w-]+\.env|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-][\w.-]+)?|\.?netrc|_netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.vault-token|\.htpasswd|\.pypirc|\.dockercfg|\.s3cfg|\.boto|\.master\.key|master\.key|credentials\.(?:json|ya?ml|toml|csv|xml|tfrc\.json)|service[_-]?account[\w-]*\.json|client_secret[\w.-]*\.json|application_default_credentials\.json|[\w.-]*\.(?:p12|pfx|jks|keystore|kdbx|ppk|ovpn)|(?:[\w.-]*[._-])?(?:priv(?:ate)?|secret|server|client|ssl|tls|signing)[_.-]?(?:key)?\.(?:pem|key|asc)|key\.pem|privkey\d*\.pem|secrets?\.(?:ya?ml|json|toml|env|ini|txt|properties)|key[34]\.db|logins\.json|login data|cookies\.sqlite|keychain-db|login\.keychain(?:-db)?|wallet\.dat)$]])

-- Files that look so, but hold no secret.
local SAMPLE = patterns.later([[(?i)(?:\.(?:example|sample|template|dist|defaults?|schema|pub|tmpl|tpl|enc|sops|gpg|age|j2|erb|md|test|(?:d\.)?[cm]?[jt]sx?)$|^authorized_keys|^known_hosts|^example\.|^sample\.|\.(?:example|sample|template)\.)]])

-- By the place, below a home folder or /etc.
local PLACED = patterns.later([[(?:^|/)(?:\.aws/(?:credentials|sso/cache/.*|cli/cache/.*)|\.ssh/[^/]*(?:id_|_rsa|_dsa|_ecdsa|_ed25519|key|\.pem)[^/]*|\.docker/config\.json|\.kube/config|\.gem/credentials|\.cargo/credentials(?:\.toml)?|\.config/gh/hosts\.yml|\.config/gcloud/.*(?:credentials|token).*|\.azure/.*(?:[tT]oken|msal|service_principal).*|\.gnupg/.+|\.password-store/.+|\.local/share/keyrings/.+|Library/Keychains/.+|\.terraform\.d/credentials.*|\.config/(?:op|doppler|hub|glab-cli|rclone|sops)/.*|\.config/1Password/.*|\.kaggle/kaggle\.json|\.composer/auth\.json|\.m2/settings-security\.xml)$]])
local SYSTEM = patterns.later([[^(?:/private)?/(?:etc/(?:g?shadow-?|sudoers(?:\.d/.*)?|ssl/private/.+|ssh/ssh_host_\w+_key|krb5\.keytab|ipsec\.secrets|ppp/chap-secrets|wireguard/.+)|proc/[^/]+/environ|run/secrets/.+|var/run/secrets/.+)$]])

-- Folders with nothing but secrets.
local FOLDERS = patterns.later([[(?:^|/)(?:\.ssh|\.aws|\.gnupg|\.password-store)$]])

-- kind returns the file's name if it holds secrets, else nil.
function secretfile.kind(file, scene)
  local target = file.path
  local base = path.base(target)
  if SAMPLE:match(base) then
    return nil
  elseif target:sub(1, 6) == "/proc/" or target:sub(1, 5) == "/etc/" or target:find("^/private/etc/") or target:find("/run/secrets/", 1, true) then
    return SYSTEM:match(target) and target or nil
  elseif NAMED:match(base) or PLACED:match(target) then
    return base
  elseif (base == ".npmrc" or base == ".yarnrc.yml") and (path.dir(target) == scene.home or target:sub(1, 2) == "~/") then
    return base
  elseif file.glob and (re.match(base, [=[^\.env[.*?]|^id_[*?]]=]) or re.match(target, [=[(^|/)\.(ssh|aws|gnupg)/[^/]*[*?]]=]) and not re.match(base, [[\.pub$|^(known|auth|config)]])) then
    return base
  elseif FOLDERS:match(target) and file.cmd and file.cmd.name ~= "find" then
    return base
  end
end

-- Programs that print, copy, pack or send the content of the files that they are given.
local SHOWS = {}
for name in ([[cat tac nl less more most head tail bat batcat view vi vim nvim nano emacs ed ex pr fold fmt
  expand grep egrep fgrep zgrep rg ag ack ugrep sed gsed awk gawk mawk nawk cut sort uniq paste join comm tr
  strings xxd od hexdump hd base64 base32 base58 uuencode tee dd cp gcp scp rsync install tar bsdtar zip 7z gzip
  bzip2 xz zstd cpio ar curl wget http https xh nc ncat netcat socat ftp sftp tftp jq yq dasel diff sdiff
  colordiff delta cmp column look split csplit iconv sponge pbcopy xclip xsel wl-copy mail mutt sendmail
  pygmentize glow rev shuf ln rclone restic borg aws gsutil gcloud az s3cmd mc gh code subl pico micro
  python python3 node ruby perl php jupyter csvcut mlr fx while read mapfile readarray]]):gmatch("%S+") do
  SHOWS[name] = true
end

-- shown reports whether the content of the file is revealed: by a tool that reads, or by a command that does.
function secretfile.shown(file)
  local cmd = file.cmd
  if not cmd then
    return true
  end
  local name = cmd.name
  if not name or not SHOWS[name] then
    return false
  elseif name == "grep" or name == "rg" then
    return not cmd:flag("-q", "--quiet", "--silent", "-c", "--count", "-l", "--files-with-matches", "-L", "--files-without-match")
  elseif name == "curl" then
    local key = cmd:flag("--key", "--cert", "-E", "--cacert", "--netrc-file")
    return type(key) ~= "string" or not text.contains(file.path, path.base(key))
  elseif name == "scp" or name == "rsync" or name == "sftp" then
    local identity = cmd:flag("-i", "--rsh", "-e")
    return type(identity) ~= "string" or not text.contains(identity, path.base(file.path))
  elseif name == "ln" then
    return not cmd:flag("-s", "--symbolic")
  end
  return true
end

return secretfile
