-- The kind of source that a command's output comes from, for commands that run it.

local sources = {}

local NETWORK = { "curl", "wget", "wget2", "aria2c", "http", "https", "xh", "xhs", "httpie", "fetch", "lynx", "links", "elinks", "w3m", "nc", "ncat", "netcat",
  "nc.traditional", "nc.openbsd", "socat", "telnet", "ftp", "lftp", "ncftpget", "tftp", "sftp", "lwp-request", "lwp-download", "GET", "POST", "HEAD",
  "bitsadmin", "axel", "curlie", "wormhole", "dig", "nslookup", "host", "drill", "kdig", "whois", "websocat", "wscat", "iwr", "irm", "Invoke-WebRequest",
  "Invoke-RestMethod" }

local ELSEWHERE = { ssh = "", rclone = "cat|copyto", aws = "s3|s3api", gsutil = "cat|cp", gcloud = "storage", az = "storage", mc = "cat", s3cmd = "get", s5cmd = "cat",
  gh = "api|gist|release|issue|pr|run|search|variable|repo", glab = "api|issue|mr|snippet|release|ci|repo", ipfs = "cat|get", scp = "", rsync = "", rsh = "",
  kubectl = "exec|get|logs", oc = "exec|get|logs|rsh", docker = "exec|logs", podman = "exec|logs", nerdctl = "exec|logs", crictl = "exec|logs",
  psql = "", mysql = "", mariadb = "", sqlcmd = "", ["redis-cli"] = "", ["valkey-cli"] = "", mongosh = "", etcdctl = "get", consul = "kv", clickhouse = "", ["clickhouse-client"] = "",
  mosquitto_sub = "", kcat = "", kafkacat = "", pbpaste = "", xclip = "", xsel = "", ["wl-paste"] = "", sops = "", vault = "read|kv", op = "read|item|document",
  jira = "issue|view", svn = "cat", hg = "cat", adb = "shell", lxc = "exec", incus = "exec", journalctl = "", ["git-lfs"] = "" }

local DECODERS = { "rev", "xxd", "uudecode", "tr", "base64", "base32", "basenc", "base58", "gbase64", "openssl", "certutil" }

local UNPACKERS = { "tar", "bsdtar", "gtar", "gunzip", "zcat", "gzcat", "gzip", "pigz", "unpigz", "bunzip2", "bzcat", "bzip2", "unxz", "xzcat", "xz", "lzcat", "unlzma",
  "unzstd", "zstdcat", "zstd", "lz4", "lz4cat", "unlz4", "brotli", "unzip", "funzip", "7z", "7za", "7zz", "unrar", "cpio", "ar", "gpg", "gpg2", "age", "ccrypt", "zpaq" }

local DECODES = patterns.later([[(?i)base64|b64decode|decode_base64|fromhex|unhexlify|\bpack *\(|fromCharCode|rot_?13|zlib|decompress]])
local DOWNLOADS = patterns.later([[(?i)urlopen|urlretrieve|requests\.(get|post)|httpx\.|LWP::|HTTP::Tiny|Net::HTTP|open-uri|URI\.open|\bfetch *\(|https?\.get *\(|file_get_contents *\( *.https?:|fsockopen|socket|\bget *\( *.https?:]])

-- What a program in another language has others fetch.
local FETCHED = [[(?i)(?:`|\bqx\b.|%x.|\b(?:popen[234]?|check_output|getoutput|exec(?:file)?sync|spawnsync|shell_exec|capture2e?|capture|read_process|passthru|run|system|exec)\b *\(?[\[{(]*) *["'{(]*(?:sudo +)?]]
local HAS_DOWNLOADED = patterns.later(FETCHED .. [[(?:curl|wget|http)\b]])
local HAS_BROUGHT = patterns.later(FETCHED .. [[(?:ssh|gh|aws|gsutil|kubectl)\b]])

local kinds = {}
for _, name in ipairs(NETWORK) do
  kinds[name] = "network"
end
for _, name in ipairs(DECODERS) do
  kinds[name] = "decoded"
end
for _, name in ipairs(UNPACKERS) do
  kinds[name] = "unpacked"
end

local RANGES = patterns.later("[A-Za-z]|^[[]:")

local function swaps_letters(cmd)
  local from, to = unpack(cmd:operands())
  if not to or not RANGES:match(from) or not RANGES:match(to) then
    return false
  end
  from, to = from:lower():gsub("upper", "lower"), to:lower():gsub("upper", "lower")
  return from ~= to
end

local function listed(words, ...)
  for _, word in ipairs(words) do
    for _, name in ipairs({ ... }) do
      if word == name then
        return true
      end
    end
  end
  return false
end

local function decodes(cmd)
  local name = cmd.name
  if name == "tr" then
    return swaps_letters(cmd)
  elseif name == "xxd" then
    return listed(cmd.args, "-r", "-revert")
  elseif name == "rev" or name == "uudecode" then
    return true
  elseif name == "certutil" then
    return listed(cmd.args, "-decode", "-decodehex", "/decode")
  end
  return cmd:flag("-d", "-D", "--decode") ~= false
end

local INTERPRETER = patterns.later("^(python|perl|ruby|node|nodejs|php|deno|bun)[0-9.]*$")

-- A text of another language in an argument.
local function of_language(cmd)
  if not INTERPRETER:match(cmd.name) then
    return nil
  end
  for _, argument in ipairs(cmd.args) do
    if DOWNLOADS:match(argument) or HAS_DOWNLOADED:match(argument) then
      return "network"
    elseif HAS_BROUGHT:match(argument) then
      return "elsewhere"
    elseif DECODES:match(argument) then
      return "decoded"
    end
  end
end

-- Whether a download writes nothing: a probe.
local function is_silent(cmd)
  local file = cmd.name == "curl" and not cmd:flag("-w", "--write-out") and cmd:flag("-o", "--output") or cmd.name == "wget" and cmd:flag("-O", "--output-document")
  for _, redirect in ipairs(cmd.redirects) do
    if redirect.op:find("&", 1, true) then
      return false
    end
  end
  return file == "/dev/null"
end

-- kind returns the kind of a command's output: "network" (from the net), "elsewhere" (from another machine or an
-- account's storage), "decoded" (text that was unreadable), "unpacked" (from an archive); nil for anything else.
function sources.kind(cmd)
  local name = cmd.name
  if not name or cmd.flag and cmd:flag("--help", "--version") then
    return nil
  elseif name == "git" then
    return listed(cmd.args, "show", "cat-file") and table.concat(cmd.args, " "):find("FETCH_HEAD", 1, true) and "elsewhere" or nil
  elseif name == "sops" and cmd.flag and cmd:flag("--output-type") == "dotenv" then
    return nil -- variables
  elseif name == "openssl" and cmd.args[1] == "s_client" then
    return "network"
  elseif (name == "http" or name == "https") and cmd:flag("-d", "--download") then
    return nil -- it writes to a file
  elseif (name == "curl" or name == "wget") and cmd.flag and is_silent(cmd) then
    return nil
  end
  if name == "certutil" and listed(cmd.args, "-urlcache", "/urlcache", "-verifyctl") then
    return "network"
  end
  local kind = kinds[name]
  if kind == "decoded" and not decodes(cmd) then
    return nil
  elseif kind then
    return kind
  end
  local words = ELSEWHERE[name]
  if words then
    local first = (cmd.operands and cmd:operands() or cmd.args)[1] -- it may be just a name and words
    return (words == "" or first and re.match(first, "^(" .. words .. ")$")) and "elsewhere" or nil
  end
  return of_language(cmd)
end

-- of finds the first of a command's sources of a kind, and returns its name.
function sources.of(list, kind)
  for _, source in ipairs(list) do
    if sources.kind(source) == kind then
      return source.name
    end
  end
end

return sources
