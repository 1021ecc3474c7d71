-- HTTP requests of command lines.

local request = {}

-- The programs that send one; "http" and those like it have the method as a word.
request.programs = { "curl", "wget", "http", "https", "xh", "xhs", "httpie", "curlie", "awscurl", "aws-curl" }

local METHOD = patterns.later([[^(?i:get|head|post|put|patch|delete|options|purge|ban|link|unlink)$]])
local OVERRIDES = patterns.later([[(?i)^x-(?:http-)?method(?:-override)?\s*:\s*(\w+)]])
local DATA = {}
for _, name in ipairs({ "-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--data-urlencode", "--json", "--body-data", "--post-data" }) do
  DATA[name] = true
end

-- values calls look with each value of the options in names, as far as it is attached with "=" or the next word.
local function values(cmd, names, look)
  for i, word in ipairs(cmd.args) do
    local option, attached = word:match("^(%-%-[%w-]+)=(.*)$")
    if option and names[option] then
      look(attached)
    elseif names[word] then
      look(cmd.args[i + 1] or "")
    elseif names[word:sub(1, 2)] and word:sub(1, 2) ~= "--" and #word > 2 then
      look(word:sub(3))
    end
  end
end

-- method returns the method of a request in capitals; nil if the command names none. A header that replaces it
-- counts.
function request.method(cmd)
  local method
  if cmd.name == "wget" then
    method = cmd:flag("--method")
  elseif cmd.name == "curl" or cmd.name == "awscurl" or cmd.name == "aws-curl" then
    method = cmd:flag("-X", "--request")
  else
    method = cmd.name == "curlie" and cmd:flag("-X", "--request")
    local operands = cmd:operands()
    for i = 1, math.min(3, #operands) do
      if type(method) ~= "string" and METHOD:match(operands[i]) then
        method = operands[i]
      end
    end
  end
  values(cmd, { ["-H"] = true, ["--header"] = true }, function(header)
    local whole, other = OVERRIDES:find(header)
    method = whole and other or method
  end)
  return type(method) == "string" and method:upper() or nil
end

-- data returns what a request carries, as far as it stands in the line.
function request.data(cmd)
  local parts = {}
  values(cmd, DATA, function(value)
    parts[#parts + 1] = value
  end)
  if cmd.input and #parts > 0 and parts[#parts]:sub(1, 2) == "@-" then
    parts[#parts + 1] = cmd.input.text
  end
  return table.concat(parts, "\n")
end

-- changes reports whether a request is one that may change something: its method says so, or it carries data.
function request.changes(cmd)
  local method = request.method(cmd)
  if method then
    return method ~= "GET" and method ~= "HEAD" and method ~= "OPTIONS"
  end
  return request.data(cmd) ~= "" or cmd:flag("--form", "-F", "--post-file", "--upload-file", "-T") ~= false
end

local ADDRESS = patterns.later([[^(?:[a-zA-Z][\w+.-]*://)?(?:[^/@?#]*@)?([^/:?#]*)(?::(\d+))?([/?#].*)?$]])
local HOST = patterns.later([[^(?:[\w-]+\.)+[\w-]+$|^localhost$|^\[[0-9a-fA-F:]+\]$]])
local HERE = patterns.later([[^(?i:|localhost|127\.[\d.]+|0\.0\.0\.0|\[?::1?\]?|host\.docker\.internal|.*\.(?:localhost|test|invalid))$]])

-- addresses lists the addresses that a request goes to, as {text, host, port, path, here}. here is set where it is
-- a server of this machine, or one that only a name without a domain stands for, as in a compose file.
function request.addresses(cmd)
  local list = {}
  local function add(word)
    local whole, host, port, rest = ADDRESS:find(word)
    if not whole or METHOD:match(word) then
      return
    end
    host, port, rest = host or "", port or "", rest or ""
    local named = word:find("://", 1, true) or port ~= "" or HOST:match(host)
    if named or rest:sub(1, 1) == "/" or host:find("$", 1, true) then
      local unknown = host:find("$", 1, true) ~= nil
      list[#list + 1] = { text = word, host = host, port = port, path = rest, unknown = unknown, here = not unknown and (HERE:match(host) or not host:find(".", 1, true)) }
    end
  end
  for _, word in ipairs(cmd:operands()) do
    add(word)
  end
  local url = cmd:flag("--url")
  if type(url) == "string" then
    add(url)
  end
  return list
end

-- Ports, names and paths of databases and searches with HTTP interfaces.
local STORES = rules.set("9200 9201 9243 5984 8983 6333 8086 8529 7700 8108 8123")
local STORE = patterns.later([[(?i)elastic|opensearch|couch|solr|qdrant|influx|meili|typesense|weaviate|kibana|clickhouse|(?:^|[.-])es(?:[.-]|$)]])
local STORED = patterns.later([[^/(?:[\w,*.-]+/)?_(?:all|delete_by_query|update_by_query|data_stream|index_template|component_template|template|snapshot|cluster|ilm|slm|ingest|security|alias(?:es)?|doc|close|bulk|mapping|reindex|shrink|rollover)(?:/|$|\?)|^/(?:indexes|collections)/]])

local PORTS_AND_NAMES = patterns.later([[(?i)%|:(?:9200|9201|9243|5984|8983|6333|8086|8529|7700|8108|8123)\b|elastic|opensearch|couch|solr|qdrant|influx|meili|typesense|weaviate|kibana|clickhouse|(?:^|[^a-z])es(?:[^a-z]|$)|/_|/indexes/|/collections/]])

-- may_be_of_database is a first look: whether a word of a command may be the address of a database or a search.
function request.may_be_of_database(cmd)
  for _, word in ipairs(cmd.args) do
    if PORTS_AND_NAMES:match(word) then
      return true
    end
  end
  return false
end

-- of_database reports whether an address is that of a database or a search.
function request.of_database(to)
  return STORES[to.port] or STORE:match(to.host) or STORED:match(to.path)
end

return request
