-- What a tool that isn't a shell does, by the words of its name: start_process, writeFile,
-- mcp__files__delete_file.

local set = rules.set

local tools = {}

local DELETES = set("delete deletes remove unlink trash rmdir rm rmrf destroy erase purge del wipe deletefile")
local EMPTIES = set("empty clear prune") -- or says which file is created
local WRITES = set("write edit create update move rename copy append insert replace patch apply save put set upload modify add make mkdir touch change overwrite restore mv cp " ..
  "insert str_replace symlink link install chmod download export generate format fix sync import extract unzip commit")
local READS = set("read reads get list search find stat info head tail view show tree glob grep cat describe exists count ls diff preview inspect analyze lookup check validate open query " ..
  "fetch load print status summarize outline metadata")

-- Servers and tools that pass SQL to a database.
local DATABASE = patterns.later([[^(sql.*|postgres.*|pg|psql|mysql.*|mariadb|sqlite.*|supabase|neon|duckdb|motherduck|bigquery|snowflake|clickhouse|redshift|athena|oracle|prisma|turso|libsql|]] ..
  [[planetscale|cockroach.*|databases?|db|dbhub|query|queries|statements?|execute|cassandra|cql|trino|presto|databricks|d1|mssql|alloydb|spanner|tidb|timescale|migrations?|warehouse|influx.*)$]])

-- The words of a name; those of the server of an MCP tool come first.
local function words_of(name)
  local spaced = name:gsub("(%l)(%u)", "%1 %2"):gsub("[^%w]+", " ")
  return text.split(text.trim(spaced:lower()), " ")
end

-- Editors whose command says what they do.
local VIEWS = set("str_replace_editor str_replace_based_edit_tool")

-- The keys that say what a tool does that does several things.
local STEPS = 100
local ACTIONS = { "operation", "action", "op", "type", "mode", "method" }

-- add_actions adds the words by which an input says what is to be done.
local function add_actions(words, input)
  for _, key in ipairs(ACTIONS) do
    if type(input[key]) == "string" and #input[key] < 40 then
      for _, word in ipairs(words_of(input[key])) do
        words[#words + 1] = word
      end
    end
  end
  return words
end

-- access returns what a call does to the files that it names.
function tools.access(call)
  if call.kind == "read" or call.kind == "search" then
    return "read"
  elseif call.kind == "edit" and call.input.command == "view" and VIEWS[(call.host_name or call.name):lower()] then
    return "read"
  end
  local name = call.kind == "mcp" and re.replace(call.name, "^mcp__.*?__", "") or call.host_name or call.name
  local writes, reads, empties = call.kind == "write" or call.kind == "edit", false, false
  local words = words_of(name)
  if call.kind == "mcp" or call.kind == "other" then
    add_actions(words, call.input)
    for _, key in ipairs({ "operations", "actions" }) do
      for i, step in ipairs(type(call.input[key]) == "table" and call.input[key] or {}) do
        if i <= STEPS and type(step) == "table" then
          add_actions(words, step)
        end
      end
    end
  end
  for _, word in ipairs(words) do
    if DELETES[word] then
      return "delete"
    end
    empties = empties or EMPTIES[word]
    writes, reads = writes or WRITES[word], reads or READS[word]
  end
  if empties and not writes and not reads then
    return "delete"
  end
  return reads and not writes and "read" or "write"
end

-- Words of file servers' names.
local OF_FILES = set("file files filesystem fs folder folders directory directories dir dirs tree desktop commander disk workspace path paths")

-- handles_files reports whether what a call deletes or moves are files, as far as its name says.
function tools.handles_files(call)
  if call.kind ~= "mcp" and call.kind ~= "other" then
    return true
  end
  for _, word in ipairs(words_of(call.name)) do
    if OF_FILES[word] then
      return true
    end
  end
  return false
end

local MOVES = set("move moves rename mv")
local FROM = { "source", "from", "src", "old_path", "oldPath", "old_file_path", "source_path", "sourcePath", "source_file", "sourceFile", "old", "oldUri", "old_uri", "oldName", "old_name" }

-- moved returns the paths that a call moves away, as keys; nil for none.
function tools.moved(call)
  local name = call.kind == "mcp" and re.replace(call.name, "^mcp__.*?__", "") or call.host_name or call.name
  for _, word in ipairs(words_of(name)) do
    if MOVES[word] then
      local paths = {}
      for _, key in ipairs(FROM) do
        if type(call.input[key]) == "string" then
          paths[call.input[key]] = true
        end
      end
      if next(paths) == nil and type(call.input.path) == "string" then
        paths[call.input.path] = true
      end
      return paths
    end
  end
end

-- The keys of a text that is written, and of lists of such.
local WRITTEN = { "content", "contents", "new_string", "newString", "new_str", "new_text", "newText", "file_text", "text", "replacement", "replace", "patch", "patchText", "input", "code", "code_edit", "codeContent",
  "insert_text", "data", "command" }
local EDITS = { "edits", "replacements", "changes" }

local function add_texts(parts, input)
  for _, key in ipairs(WRITTEN) do
    local value = input[key]
    if type(value) == "string" then
      parts[#parts + 1] = value
    elseif key == "command" and type(value) == "table" and type(value[2]) == "string" then -- apply_patch and its text
      parts[#parts + 1] = value[2]
    end
  end
end

-- written returns what a call writes into its file, as far as it says it.
function tools.written(call)
  local parts = {}
  add_texts(parts, call.input)
  for _, key in ipairs(EDITS) do
    for _, edit in ipairs(type(call.input[key]) == "table" and call.input[key] or {}) do
      if type(edit) == "table" then
        add_texts(parts, edit)
      end
    end
  end
  return parts[1] and table.concat(parts, "\n")
end

-- Names of tools that run a program, by their words: what it is written in, and that it is run.
local LANGUAGES = { python = "python3", python3 = "python3", py = "python3", ipython = "python3",
  javascript = "node", js = "node", node = "node", nodejs = "node", typescript = "node", ts = "node", deno = "node", ruby = "ruby", perl = "perl", php = "php", bash = "sh", shell = "sh", sh = "sh", zsh = "sh" }
local RUNS = set("run execute exec eval interpreter repl executor edit insert append overwrite sandbox")
local ALONE = set("python python3 ipython node javascript")
-- What isn't on this machine, or doesn't run it.
local ELSEWHERE = set("browser page playwright puppeteer chrome chromium devtools selenium webdriver safari firefox figma lint format check analyze explain review search read get list find")
local PROGRAMS = { "code", "new_source", "source", "cell_source", "python_code", "script", "program", "source_code", "cell_content", "snippet", "code_snippet", "codeSnippet", "newCode", "new_code" }

-- Words that say nothing of the language.
local ANY = set("jupyter notebook cell kernel code interpreter repl")

local function text_of(value)
  if type(value) == "table" and type(value[1]) == "string" then
    local lines = {}
    for _, line in ipairs(value) do
      lines[#lines + 1] = type(line) == "string" and line:gsub("\n$", "") or nil
    end
    return table.concat(lines, "\n")
  end
  return type(value) == "string" and value or nil
end

-- programs returns what a call runs or puts into a notebook, a list of {interpreter, source}; nil for none.
function tools.programs(call)
  if call.kind == "write" or call.kind == "read" then
    return nil
  end
  local words, input = words_of(call.host_name or call.name), call.input
  local interpreters, any, runs, notebook = {}, false, false, false
  for _, word in ipairs(words) do
    if ELSEWHERE[word] then
      return nil
    end
    notebook = notebook or word == "notebook" or word == "cell"
    if ANY[word] then
      any = true
    elseif LANGUAGES[word] and LANGUAGES[word] ~= interpreters[#interpreters] then
      interpreters[#interpreters + 1] = LANGUAGES[word]
    end
    runs = runs or RUNS[word] or #words == 1 and ALONE[word]
  end
  if not (any or interpreters[1]) or not runs or call.kind == "edit" and not text.contains(table.concat(words, " "), "notebook")
    or notebook and (input.cell_type == "markdown" or input.cellType == "markdown") then
    return nil
  end
  if not interpreters[1] then
    local given = input.language or input.lang or input.languageId or input.runtime
    interpreters[1] = type(given) == "string" and LANGUAGES[given:lower()] or "python3"
    interpreters[2] = notebook and interpreters[1] ~= "python3" and "python3" or nil -- the kernel may be another
  end
  local list = {}
  for _, key in ipairs(PROGRAMS) do
    local source = text_of(input[key])
    for _, interpreter in ipairs(source and interpreters or {}) do
      list[#list + 1] = { interpreter = interpreter, source = source }
    end
  end
  if not list[1] and type(input.input) == "string" then
    list[1] = { interpreter = interpreters[1], source = input.input }
  end
  return list
end

-- database reports whether a call passes SQL to a database, as far as its name says.
function tools.database(call)
  if call.kind ~= "mcp" and call.kind ~= "other" then
    return false
  end
  for _, word in ipairs(words_of(call.name)) do
    if DATABASE:match(word) then
      return true
    end
  end
  return false
end

-- The keys that say what kind of thing is meant.
local KINDS = { "resource", "resource_type", "resourceType", "kind", "object_type", "entity" }

-- deed returns the words of the name of a tool without those of its server, with those by which its input says what is to
-- be done and to what.
local function deed(call)
  local words = add_actions(words_of(call.kind == "mcp" and re.replace(call.name, "^mcp__.*?__", "") or call.host_name or call.name), call.input)
  for _, key in ipairs(KINDS) do
    local value = call.input[key]
    if type(value) == "string" and #value < 40 then
      words[#words + 1] = value:lower()
    end
  end
  return { words = words, input = call.input }
end

-- Programs that tools hand arguments to, and the keys of these.
local CLIENTS = set("kubectl helm aws gcloud gsutil az docker podman terraform tofu pulumi git gh glab flyctl heroku doctl argocd")
local ARGUMENTS = { "cli_command", "command", "cmd", "args", "arguments", "argv" }

-- line returns the command line that a tool hands to a program which its name says: mcp__k8s__kubectl {args = "get pods"}.
local function line(call)
  local client
  for _, word in ipairs(words_of(call.name)) do
    client = CLIENTS[word] and word or client
  end
  for _, key in ipairs(client and ARGUMENTS or {}) do
    local value = call.input[key]
    if type(value) == "table" and type(value[1]) == "string" then
      local quoted = {}
      for i, word in ipairs(value) do
        quoted[i] = shell.quote(tostring(word))
      end
      value = table.concat(quoted, " ")
    end
    if type(value) == "string" and value ~= "" then
      return value:match("^%s*(%S+)") == client and value or client .. " " .. value
    end
  end
end

-- does returns all that is known of what a call does, for judge.tool.
function tools.does(call)
  local does = { access = tools.access(call), database = tools.database(call) }
  if call.kind ~= "read" and call.kind ~= "search" then
    does.moved, does.written = tools.moved(call), tools.written(call)
    does.files = tools.handles_files(call)
    does.programs = tools.programs(call)
    if call.kind == "mcp" or call.kind == "other" then
      does.deed, does.line = deed(call), line(call)
    end
  end
  return does
end

return tools
