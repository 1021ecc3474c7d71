-- Programs that send to other machines, and which of their words are files or contents that they send.

local set = rules.set

local senders = {}

-- Programs that send what they are given or read to any host, and those that send to places of the user's own: a
-- machine, an account's storage. To these a project's settings go all the time, but not the keys of the home folder.
senders.ANYWHERE = set("curl wget wget2 http https xh xhs httpie nc ncat netcat nc.traditional nc.openbsd socat telnet ftp tftp lftp ncftpput curlie websocat wscat dig drill kdig delv nslookup host ping whois finger " ..
  "mail mailx s-nail sendmail msmtp ssmtp mutt neomutt swaks pastebinit wgetpaste ix sprunge croc wormhole ffsend transfer lwp-request POST openssl gh glab hub tea gist aria2c lynx w3m links elinks ab hey wrk grpcurl " ..
  "mosquitto_pub mqttx redis-cli valkey-cli nats kcat kafkacat ntfy slackcat telegram-send apprise ipfs smbclient xdg-open open sensible-browser x-www-browser firefox chromium chromium-browser google-chrome " ..
  "pip pip3 uv pipx npm pnpm yarn bun gem git huggingface-cli hf surge firebase netlify wrangler rsh pwncat hping3 logger getent webbrowser psql mysql mariadb mongosh brew composer python python3 node ruby php perl")
senders.OWN = set("scp rsync sftp ssh rclone aws gsutil gcloud az azcopy s3cmd s5cmd mc b2 ossutil swift doctl")

-- Programs that send their words, but whose files are read here and stay: only what other commands print in a word counts.
senders.WORDS = set("pip pip3 uv pipx npm pnpm yarn bun gem git xdg-open open sensible-browser x-www-browser firefox chromium chromium-browser google-chrome lynx w3m links elinks redis-cli valkey-cli getent webbrowser psql mysql mariadb mongosh brew composer")

-- Of those that send their words, the ones that send their input, too.
senders.STDIN = set("redis-cli valkey-cli psql mysql mariadb mongosh")
-- Those that run a program of another language, which may send.
senders.LANGUAGES = set("python python3 node ruby php perl bun")
-- Those whose words name a host, which may not be the one that a key is for.
senders.HOSTS = set("curl curlie wget wget2 http https xh xhs nc ncat netcat nc.traditional nc.openbsd socat telnet dig drill nslookup host lynx w3m xdg-open open")

-- Those that send something only with an option for it.
local DOWNLOADS = set("curl curlie wget wget2")

-- The programs that rules are about: all that they do, or what something else is needed for (see rulebook.lua).
senders.PROGRAMS, senders.ONLY = {}, { told = {}, fed = {}, script = {}, sends = {} }

local function only(name)
  if senders.LANGUAGES[name] then
    return "script"
  elseif senders.STDIN[name] then
    return "fed"
  elseif DOWNLOADS[name] then
    return "sends"
  end
  return senders.WORDS[name] and not senders.HOSTS[name] and "told" or nil
end

for _, names in ipairs({ senders.ANYWHERE, senders.OWN }) do
  for name in pairs(names) do
    if name ~= "git" then
      table.insert(senders.ONLY[only(name)] or senders.PROGRAMS, name)
    end
  end
end
for _, words in ipairs({ "docker pull", "docker push", "podman pull", "go get", "go install", "cargo install" }) do
  local name = words:match("^%a+")
  table.insert(senders.ONLY.told, words)
  senders.ANYWHERE[name], senders.WORDS[name] = true, true
end
for _, verb in ipairs({ "push", "fetch", "pull", "clone", "ls-remote", "remote", "submodule", "commit", "tag", "notes", "send-email" }) do
  table.insert(senders.ONLY.told, "git " .. verb)
end

-- Those to which a command is connected that they run.
senders.CALLS = set("nc ncat netcat nc.traditional nc.openbsd socat")

local POSTS = set("gist snippet issue pr mr release api workflow variable repo")
local WRITES = patterns.later([[^(create|new|comment|edit|note|upload|review|merge|close|run|set)$]])
local AWS = patterns.later([[^(s3 (cp|mv|sync)|s3api (put-object|upload-part)|sns publish|sqs send-message|ses send|sesv2 send|lambda invoke|dynamodb put-item|kinesis put|glacier upload|codecommit put-file|events put-events|logs put-log)]])

-- sends reports whether a program with the verb of something else sends anything.
function senders.sends(cmd, scene)
  local name, operands = cmd.name, cmd:operands()
  local verb = operands[1]
  if name == "gh" or name == "glab" or name == "hub" or name == "tea" then
    return POSTS[verb or ""] and (verb == "api" or WRITES:match(operands[2] or "") or name == "hub")
  elseif name == "openssl" then
    return verb == "s_client"
  elseif name == "aws" then
    return AWS:match(table.concat(operands, " ", 1, math.min(2, #operands)) .. " ")
  elseif name == "gcloud" or name == "az" then
    return verb == "storage"
  elseif name == "git" then
    return verb ~= "commit" and verb ~= "tag" and verb ~= "notes" or scene:pushes()
  elseif name == "pip" or name == "pip3" or name == "gem" or name == "npm" or name == "pnpm" or name == "yarn" or name == "bun" then
    return verb ~= "config" and verb ~= "run" and verb ~= "login"
  elseif name == "ipfs" then
    return verb == "add"
  end
  return true
end

-- posts reports whether what it posts can be read by others.
function senders.posts(cmd)
  return POSTS[cmd:operands()[1] or ""] or cmd.name == "git"
end

-- values lists the values of options, by their names: those that are given several times, too.
local function values(cmd, names)
  local list = {}
  for i, word in ipairs(cmd.args) do
    local long, value = word:match("^(%-%-[^=]+)=(.*)$")
    if names[word] then
      list[#list + 1] = cmd.args[i + 1]
    elseif long and names[long] then
      list[#list + 1] = value
    elseif names[word:sub(1, 2)] and #word > 2 and word:sub(1, 2) ~= "--" then
      list[#list + 1] = word:sub(3)
    end
  end
  return list
end

local TEXTS = set("-F --body-file --notes-file --input -a --add --file -f --filename --description-file --attachment")
local SOURCE = set("--source -s")
local FIELDS = set("-F --field -f --raw-field")

-- The files of gh and glab. The operands of gist and release are files, those of issue and pr aren't.
local function of_forge(cmd)
  local operands, list = cmd:operands(), {}
  if operands[1] == "api" then
    for _, value in ipairs(values(cmd, FIELDS)) do
      list[#list + 1] = value:match("=@(.+)$")
    end
    for _, value in ipairs(values(cmd, { ["--input"] = true })) do
      list[#list + 1] = value
    end
    return list
  end
  local options = operands[1] == "repo" and SOURCE or operands[1] ~= "variable" and TEXTS or {}
  for _, value in ipairs(values(cmd, options)) do
    list[#list + 1] = value
  end
  if operands[1] == "gist" or operands[1] == "snippet" or operands[1] == "release" then
    for i = 3, #operands do
      list[#list + 1] = operands[i]:match("^[^#]*")
    end
  end
  return list
end

local STORES = set("aws gcloud az azcopy rclone gsutil s3cmd s5cmd mc b2 ossutil swift doctl wrangler huggingface-cli hf firebase netlify")
local ATTACHES = set("logger mail mailx s-nail mutt neomutt swaks ntfy telegram-send apprise slackcat mosquitto_pub mqttx kcat kafkacat croc wormhole ffsend gist pastebinit wgetpaste ix sprunge ab ncftpput ipfs tftp surge grpcurl hping3 nats smbclient")
local KEYS_OF_STORES = set("--sse-c-key --key-file --service-account --credential-file --config --config-file --credentials --profile -c --boto-config --account-key")

-- Every word of a program that takes files in its own ways.
local function all(cmd)
  local list = {}
  for i, word in ipairs(cmd.args) do
    if not KEYS_OF_STORES[cmd.args[i - 1] or ""] then
      local value = word:match("^%-%-?[%w-]+=(.+)$") or word
      value = value:gsub("^fileb?://", ""):gsub("^.*[=<]@", ""):gsub("^@", "")
      if not value:find("^%a[%w+.-]*://") then
        list[#list + 1] = value
      end
    end
  end
  if STORES[cmd.name] and cmd.name ~= "aws" and cmd.name ~= "az" then
    local last = cmd.args[#cmd.args]
    if list[#list] == last and #list > 1 and (cmd.name == "mc" or cmd.name == "rclone") then
      list[#list] = nil -- where it goes
    end
  end
  return list
end

local CURL = set("-d --data --data-binary --data-ascii --data-urlencode --url-query --json -F --form -T --upload-file")
local UPLOADS = set("-T --upload-file")
local CONFIGURED = [=[(?:data[\w-]*|form|upload-file|json|url-query|-d|-F|-T)\s*[ =:]?\s*"?(?:[\w\[\].-]*=)?[@<]?([^"\s;]+)]=]

-- The files in what curl is told with a file of options.
local function configured(cmd, scene)
  local list = {}
  for _, value in ipairs(values(cmd, { ["-K"] = true, ["--config"] = true })) do
    local body = ""
    if value == "-" or value == "/dev/stdin" then
      body = cmd.input and cmd.input.text or ""
    elseif value:sub(1, 2) == "<(" then
      for _, other in ipairs(scene.commands) do
        if other.via[#other.via] == "<()" and (other.name == "echo" or other.name == "printf") then
          body = body .. table.concat(other.args, "\n") .. "\n"
        end
      end
    end
    for _, match in ipairs(re.find_all(body, CONFIGURED, 20)) do
      local found = re.captures(match, CONFIGURED)
      list[#list + 1] = found and found[1]
    end
  end
  return list
end

local DIALOGUES = set("sftp ftp lftp tftp smbclient ncftp")
local PUTS = patterns.later([[^\s*(?:put|mput|send|append|reput|pput|mirror|mkput|binary;?\s*put)\b(.*)$]])

-- The files that programs which read commands are told to put to the other side.
local function told_to_put(cmd)
  local texts, list = { cmd.input and cmd.input.text or "" }, {}
  for _, value in ipairs(values(cmd, { ["-c"] = true, ["-e"] = true })) do
    texts[#texts + 1] = value
  end
  for _, body in ipairs(texts) do
    for _, line in ipairs(text.split(body:gsub(";", "\n"), "\n")) do
      local found = PUTS:captures(line)
      for _, word in ipairs(found and text.split(found[1], " ") or {}) do
        list[#list + 1] = word:gsub("^['\"]", ""):gsub("['\"]$", "")
      end
    end
  end
  return list
end

-- files lists the files which a command sends and that the model doesn't have.
function senders.files(cmd, scene)
  local name = cmd.name
  if name == "gh" or name == "glab" or name == "hub" or name == "tea" then
    return of_forge(cmd)
  elseif DIALOGUES[name] then
    return told_to_put(cmd)
  elseif STORES[name] or ATTACHES[name] then
    return all(cmd)
  elseif name == "http" or name == "https" or name == "xh" or name == "xhs" then
    local list = {}
    for _, word in ipairs(cmd:operands()) do
      list[#list + 1] = word:match("@([^@]+)$")
    end
    return list
  elseif name == "socat" then
    local list = {}
    for _, word in ipairs(cmd.args) do
      list[#list + 1] = re.match(word, "(?i)^(open|file|gopen):") and word:match("^%a+:([^,]+)") or nil
    end
    return list
  elseif name == "curl" or name == "curlie" then
    local list = configured(cmd, scene)
    for _, value in ipairs(values(cmd, UPLOADS)) do
      for _, one in ipairs(text.split(value:match("^{(.*)}$") or "", ",")) do
        list[#list + 1] = one
      end
    end
    for _, value in ipairs(values(cmd, CURL)) do
      list[#list + 1] = value:match("^[%w_%[%].-]*=?[@<]([^@;]+)")
    end
    return list
  end
  return {}
end

local HEADERS = set("-H --header -u --user --oauth2-bearer -b --cookie -U --proxy-user --proxy-header -A --user-agent -e --referer --http-user --http-password --password --auth -a --token --key --pass -E --cert -x --proxy " ..
  "--otp --netrc-file --auth-type -w -p --username -i -rpc-header")
local HEADER = patterns.later([[^(?:--(?:header|user|oauth2-bearer|cookie|proxy-user|password|http-password|http-user|auth|token|pass)=|-[Hub].)]])
local ITEM = patterns.later([=[^[\w-]+:[^=/]]=]) -- Authorization:... of httpie

-- in_body reports whether a text that other commands print stands in what is sent as content or address: a word with it
-- that is no header. Marks are parts of it as they are written.
function senders.in_body(cmd, mark)
  local before
  for _, word in ipairs(cmd.words) do
    if word.dynamic and (not mark or word.text:find(mark, 1, true)) and not HEADERS[before or ""] and not HEADER:match(word.text) and
      not ((cmd.name == "http" or cmd.name == "https" or cmd.name == "xh" or cmd.name == "xhs") and ITEM:match(word.text)) then
      return word.text
    end
    before = word.text
  end
  return nil
end

return senders
