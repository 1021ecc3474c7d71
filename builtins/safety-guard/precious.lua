-- What can't be made again: files that projects keep out of git, or often do, by their names and kinds, and what
-- git says of those that are there.

local rebuilt = require("later")("rebuilt")

local precious = {}

-- Words in names of what is for a test, an example or the moment.
local PASSING = patterns.later([[(^|[._-])(tests?|testing|tmp|temp|te?mp\d+|fixtures?|examples?|samples?|templates?|tmpl|tpl|dist|defaults?|schema|mocks?|dummy|demo|scratch|cache|bench|]] ..
  [[benchmark|e2e|ci|spec|foo|bar|baz|copy|throwaway|work|working|new|output|fresh|empty|playground|sandbox|snapshot|smoke|repro|hello|debug|localhost|self-?signed|snakeoil|bak|bkp|old|orig)\d*([._-]|$)|^\.?test|]] ..
  [[^[a-z]\d*(\.|$)]])

-- What of an environment is encrypted, to be in git.
local ENCRYPTED = patterns.later([[[._-](vault|enc|encrypted|age|gpg|asc)$]])

-- What a program leaves behind when it crashes, or when it is looked into.
local OF_PROGRAM = patterns.later([[(^|[._-])(crash|core|heap|thread|stack|memory|mem|hprof)\d*([._-]|$)]])

-- Folders of such files.
local PASSING_FOLDER = patterns.later([[^(__tests?__|tests?|spec|specs|e2e|__fixtures__|fixtures?|testdata|test[-_]data|examples?|samples?|demos?|__mocks__|mocks?|bench(marks)?|]] ..
  [[\.vscode|\.idea|\.vs|\.github|templates?|skeletons?)$]])

-- Keys whose names say that they are public, and are given to anybody.
local PUBLIC = patterns.later([[(^|[._-])(cert|certs|certificate|ca|cacert|ca-bundle|chain|fullchain|crt|csr|pub|public|bundle|roots?|dhparams?|dh)\d*([._-]|$)]])

-- Kinds of files, by the small letters of their names.
local KINDS = {
  { kind = "environment", pattern = patterns.later([[^\.env(\.[\w.-]+|[-_][\w.-]+)?$|^[\w-]+\.env$|^\.envrc$|^\.dev\.vars$|^\.flaskenv$]]) },
  { kind = "database", pattern = patterns.later([[\.(sqlite3?|s3db|sl3|db3?|duckdb|mdb|accdb|rdb|aof|fdb|realm|kdbx|mdf|ldf|ibd)$]]) },
  { kind = "state", pattern = patterns.later([[\.tfstate(\.backup|\.\d+(\.backup)?)?$]]) },
  { kind = "key", pattern = patterns.later([[\.(pem|key|p12|pfx|p8|ppk|jks|keystore|bks|agekey)$|^id_(rsa|dsa|ecdsa|ed25519)$]]) },
  { kind = "credentials", pattern = patterns.later([[^(credentials|secrets?|service[-_]?account[\w-]*|client[-_]secrets?[\w.-]*|gcp[-_]key[\w-]*|firebase-adminsdk[\w-]*)\.(json|ya?ml|toml|ini|txt|properties)$|]] ..
    [[^(\.htpasswd|\.pgpass|\.netrc|\.my\.cnf|local\.settings\.json|local_settings\.py|wp-config\.php|\.vault[-_]pass(word)?|kubeconfig)$]]) },
  { kind = "dump", pattern = patterns.later([[\.(dump|pgdump)$|\.sql\.(gz|bz2|xz|zst|zip|age|gpg)$|^([\w.-]*[-_.])?(dump|backup)s?([-_.][\w.-]*)?\.(sql|gz|tgz|zip|tar|bz2|xz|zst|7z)$]]) },
}

local EXCEPT = { key = PUBLIC, environment = ENCRYPTED, dump = OF_PROGRAM }

-- A name that may be one of these: most are not.
local HINT = patterns.later([[(?i)env|\.(sqlite|s3db|sl3|db|duckdb|mdb|accdb|rdb|aof|fdb|realm|kdbx|mdf|ldf|ibd|tfstate|pem|key|p12|pfx|p8|ppk|jks|keystore|bks|agekey|dump|pgdump|sql|dev\.vars)|]] ..
  [[id_|credential|secret|account|adminsdk|gcp|dump|backup|htpasswd|pgpass|netrc|my\.cnf|settings|wp-config|vault|kubeconfig]])

-- Weights of models, which take long to train: where several are meant, or by the folder they are in.
local WEIGHTS = patterns.later([[\.(ckpt|safetensors|pth?|keras|gguf|onnx)$]])
local OF_MODELS = patterns.later([[(^|/)(models|checkpoints|weights|runs)/[^/]*$]])

-- Folders of data, wherever in a project they are: what users have sent, and what servers keep.
local DATA = patterns.later([[^(user-?)?uploads$|^(db[-_]?)?backups?$|^(db[-_]?)?dumps$|^pg_?data$|^volumes$|^(attachments|secrets|certs|keystores?|private[-_]keys|userdata|wandb|mlruns|checkpoints|weights)$|^terraform\.tfstate\.d$|]] ..
  [[^(postgres(ql)?|pg|mysql|mariadb|mongo(db)?|redis|db|minio|es|elastic(search)?|grafana|prometheus|app|user|docker|sqlite|influxdb|neo4j|clickhouse|rabbitmq|kafka|vault|consul|qdrant|chroma|weaviate|ollama|n8n|gitea|nextcloud)[-_]data$]])

-- The same at the top of a project, or one folder below it: elsewhere they are source code, more often than not.
local DATA_AT_TOP = patterns.later([[^(data|datasets?|media|storage|results|keys)$]])

-- Folders of source code, or of what is built.
local CODE = patterns.later([[^(src|lib|libs|internal|pkg|cmd|components|pages|routes|views|docs?|modules|include|scripts?|assets|content|locales?|i18n|config|\.\w.*)$]])

-- What in such folders is made again.
local MADE_OF_DATA = patterns.later([[^(processed|interim|outputs?|out|generated|gen|derived|logs?|framework|debugbar|te?mp|cache[\w-]*|[\w-]*cache|build|tests?|fixtures?|samples?|examples?|mocks?|seeds?|preprocessed|intermediate)$]])

local function is_passing(target)
  for part in target:gmatch("([^/]+)/") do
    if PASSING_FOLDER:match(part) then
      return true
    end
  end
  return rebuilt.surely_below(target)
end

-- Patterns as the shortest name that they stand for, as far as that says anything: "*.db*" as ".db", ".env*" as ".env".
local function plain(base)
  return (base:lower():gsub("%[[^%]]*%]", ""):gsub("[*?]", ""):gsub("[.-]$", ""))
end

-- file_kind returns the kind of a file, by its path as it is seen from the project, or nil.
local function file_kind(target, glob)
  local base = path.base(target)
  if not HINT:match(base) and not WEIGHTS:match(base) then
    return nil
  end
  local hidden = base:sub(1, 1) == "."
  base = glob and plain(base) or base:lower()
  if base == "" or PASSING:match(base) or is_passing(target) then
    return nil
  end
  for _, entry in ipairs(KINDS) do
    if entry.pattern:match(base) then
      local except = EXCEPT[entry.kind]
      return not (except and except:match(base) or hidden and entry.kind == "database") and entry.kind or nil
    end
  end
  return WEIGHTS:match(base) and (glob or OF_MODELS:match(target)) and "model" or nil
end

-- folder_kind returns "data" for a path in a project that is a folder of data, or lies in one.
local function folder_kind(target)
  local data, depth = false, 0
  for part in target:gmatch("[^/]+") do
    depth = depth + 1
    if data then
      if MADE_OF_DATA:match(part) or PASSING:match(part) then
        return nil
      end
    elseif DATA:match(part) or depth <= 2 and DATA_AT_TOP:match(part) then
      data = true
    elseif CODE:match(part) or PASSING_FOLDER:match(part) or rebuilt.name(part) then
      return nil
    end
  end
  return data and "data" or nil
end

-- kind returns what can't be made again at a path, known as it stands: "environment", "database", "state", "key",
-- "credentials", "dump", "model", or "data" where whole says that a folder is meant, or all of what is in one.
function precious.kind(target, glob, whole, scene)
  local place = scene:where({ path = target, dynamic = false, glob = glob })
  if place ~= "inside" and place ~= "outside" then
    return nil
  end
  local relative = scene:relative(target)
  local kind = file_kind(relative, glob)
  if not kind and (whole or glob) and place == "inside" and not path.is_abs(relative) then
    kind = folder_kind(glob and not whole and path.dir(relative) or relative)
  end
  return kind
end

-- There is a project to look at; else only names tell, as where a call is judged on another machine.
local function is_real(scene)
  if scene.real == nil then
    scene.real = scene.cwd and host.there(scene.cwd) or false
  end
  return scene.real
end

-- Kinds that count in a folder that is deleted as a whole: keys and data are in many that aren't looked after.
local INSIDE = { environment = true, database = true, state = true }

-- inside returns the first file in a folder of the project that can't be made again, where it can be looked at.
function precious.inside(folder, scene)
  local relative = scene:relative(folder)
  if not is_real(scene) or not path.is_abs(folder) or relative == folder or rebuilt.inside(relative) or is_passing(relative .. "/") then
    return nil
  end
  for _, name in ipairs(host.below(folder)) do
    if not rebuilt.inside(name) then
      local file = path.join(folder, name)
      if INSIDE[precious.kind(file, false, false, scene) or ""] and precious.known(file, false, scene) == "lost" then
        return file
      end
    end
  end
end

-- known returns what is known of the files there: "absent", "kept" by git, "lost" if they aren't, or "nothing".
function precious.known(target, glob, scene)
  if not is_real(scene) then
    return "nothing"
  elseif not path.is_abs(target) then
    return scene.cwd and host.kept(path.join(scene.cwd, target), glob) or "lost"
  end
  return host.kept(target, glob)
end

return precious
