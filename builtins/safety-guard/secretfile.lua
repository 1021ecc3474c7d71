-- Files that hold secrets, and programs that reveal the content of a file.


local secretfile = {}

-- By the name alone.
local NAMED = patterns.later([[(?i)^(?:\.env(?:rc)?(?:\.[\w.-]+)?|[\w-]+\.env|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-][\w.-]+)?|\.?netrc|_netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.vault-token|\.htpasswd|\.pypirc|\.dockercfg|\.s3cfg|\.databrickscfg|\.msmtprc|\.fetchmailrc|\.mylogin\.cnf|\.credentials\.json|oauth_creds\.json|[\w-]*adminsdk[\w-]*\.json|[\w.-]*\.tfstate(?:\.backup)?|\.dev\.vars|\.?vault[_-]pass(?:word)?(?:\.txt)?|\.?kubeconfig(?:\.ya?ml)?|AuthKey_\w+\.p8|[\w.-]*\.(?:p8|kdb|bks|agekey)|signons\.sqlite|secring\.gpg|accessKeys\.csv|rootkey\.csv|credentials\.db|\.ftpconfig|\.boto|\.master\.key|master\.key|credentials\.(?:json|ya?ml|toml|csv|xml|tfrc\.json)|service[_-]?account[\w-]*\.json|client_secret[\w.-]*\.json|application_default_credentials\.json|[\w.-]*\.(?:p12|pfx|jks|keystore|kdbx|ppk|ovpn)|(?:[\w.-]*[._-])?(?:priv(?:ate)?|secret|server|client|ssl|tls|signing)[_.-]?(?:key)?\.(?:pem|key|asc)|key\.pem|privkey\d*\.pem|secrets?\.(?:ya?ml|json|toml|env|ini|txt|properties)|key[34]\.db|logins\.json|login data|cookies\.sqlite|keychain-db|login\.keychain(?:-db)?|wallet\.dat)$]])

-- Files that look so, but hold no secret.
local SAMPLE = patterns.later([[(?i)(?:\.(?:example|sample|template|dist|defaults?|schema|pub|tmpl|tpl|enc|sops|gpg|age|j2|erb|md|test|(?:d\.)?[cm]?[jt]sx?)$|^authorized_keys|^known_hosts|^example\.|^sample\.|\.(?:example|sample|template)\.)]])

local SECRING = patterns.later([[(?:^|/)(?:secring\.gpg|\.gnupg/private-keys[^/]*/.+)$]])

-- By the place, below a home folder or /etc.
local PLACED = patterns.later([[(?:^|/)(?:\.aws/(?:credentials|sso/cache/.*|cli/cache/.*)|\.ssh/[^/]*(?:id_|_rsa|_dsa|_ecdsa|_ed25519|key|\.pem)[^/]*|\.docker/config\.json|\.kube/config|\.gem/credentials|\.cargo/credentials(?:\.toml)?|\.config/gh/hosts\.yml|\.config/gcloud/.*(?:credentials|token).*|\.azure/.*(?:[tT]oken|msal|service_principal).*|\.gnupg/.+|\.password-store/.+|\.local/share/keyrings/.+|Library/Keychains/.+|\.terraform\.d/credentials.*|\.config/(?:op|doppler|hub|glab-cli|rclone|sops)/.*|\.config/1Password/.*|\.kaggle/kaggle\.json|(?:\.|\.config/)composer/auth\.json|\.m2/settings(?:-security)?\.xml|]] ..
  -- what agents and the tools of language models keep
  [[\.claude/\.credentials\.json|\.claude\.json|\.codex/auth\.json|opencode/auth\.json|\.gemini/oauth_creds\.json|\.gemini/google_accounts\.json|\.qwen/oauth_creds\.json|\.config/github-copilot/(?:hosts|apps)\.json|\.(?:cache/)?huggingface/(?:token|stored_tokens)|\.continue/config\.(?:json|ya?ml)|\.config/io\.datasette\.llm/keys\.json|]] ..
  -- clouds, hosts, registries
  [[\.oci/[^/]+|\.config/hub|\.gradle/gradle\.properties|\.(?:ivy2|sbt|bintray)/\.?credentials|\.config/NuGet/NuGet\.Config|\.nuget/NuGet/NuGet\.Config|containers/auth\.json|helm/registry/config\.json|com\.vercel\.cli/auth\.json|\.netlify/config\.json|\.config/netlify/config\.json|\.fly/config\.yml|\.railway/config\.json|]] ..
  [[\.supabase/access-token|\.wrangler/config/default\.toml|\.config/stripe/config\.toml|\.config/doctl/config\.ya?ml|\.config/hcloud/cli\.toml|\.config/linode-cli|\.config/scw/config\.ya?ml|(?:ngrok|\.ngrok2)/ngrok\.yml|\.(?:config/)?argocd/config|\.bluemix/config\.json|\.mc/config\.json|\.aliyun/config\.json|\.snowflake/\w+\.toml|\.snowsql/config|]] ..
  [[\.dbt/profiles\.yml|\.terraformrc|\.config/configstore/[\w-]+\.json|\.config/(?:gh-copilot|gitlab-cli|tea)/.*|\.cdsapirc|\.rediscli_auth|\.circleci/cli\.yml|\.travis/config\.yml|\.heroku/credentials|\.pulumi/credentials\.json|]] ..
  -- keys and wallets, mail, remote desktops
  [[\.config/age/.*|\.config/solana/id\.json|\.ethereum/keystore/.+|\.electrum/wallets/.+|\.config/filezilla/(?:sitemanager|recentservers|filezilla)\.xml|\.local/share/remmina/.+|\.vnc/passwd|\.purple/accounts\.xml|\.config/keepassxc/.*|\.bitwarden/data\.json|Bitwarden(?: CLI)?/data\.json|]] ..
  -- browsers
  [[(?:google-chrome|Google/Chrome|chromium|Chromium|BraveSoftware/Brave-Browser|[mM]icrosoft-edge|Microsoft/Edge|[vV]ivaldi|[oO]pera)[^/]*/(?:.*/)?(?:Cookies|Login Data|Web Data|Local State)|\.mozilla/firefox/.*(?:key[34]\.db|logins\.json|cookies\.sqlite)|\.mozilla/firefox|\.thunderbird|Library/Cookies/Cookies\.binarycookies)$]])
local SYSTEM = patterns.later([[^(?:/private)?/(?:etc/(?:g?shadow-?|sudoers(?:\.d/.*)?|ssl/private/.+|ssh/ssh_host_\w+_key|krb5\.keytab|ipsec\.secrets|ppp/chap-secrets|wireguard/.+)|proc/[^/]+/environ|run/secrets/.+|var/run/secrets/.+)$]])

-- Folders with nothing but secrets.
local FOLDERS = patterns.later([[(?:^|/)(?:\.ssh|\.aws|\.gnupg|\.password-store)$]])

local IN_FOLDERS = patterns.later([[(?:^|/)(?:\.ssh|\.aws|\.gnupg|\.password-store)(?:/[^.]*)?$]])

-- folder returns the name of a folder with nothing but secrets, or of one in it.
function secretfile.folder(target)
  return IN_FOLDERS:match(target) and path.base(target) or nil
end

-- kind returns the file's name if it holds secrets, else nil.
function secretfile.kind(file, scene)
  local target = file.path
  local base = path.base(target)
  if SAMPLE:match(base) and not SECRING:match(target) then
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
