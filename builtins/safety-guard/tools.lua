-- What a tool that isn't a shell does, by the words of its name: start_process, writeFile,
-- mcp__files__delete_file.

local set = rules.set

local tools = {}

local DELETES = set("delete deletes remove unlink trash rmdir rm destroy erase purge del wipe")
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

-- access returns what a call does to the files that it names.
function tools.access(call)
  if call.kind == "read" or call.kind == "search" then
    return "read"
  elseif call.kind == "edit" and call.input.command == "view" then
    return "read"
  end
  local name = call.kind == "mcp" and re.replace(call.name, "^mcp__.*?__", "") or call.host_name or call.name
  local writes, reads = call.kind == "write" or call.kind == "edit", false
  for _, word in ipairs(words_of(name)) do
    if DELETES[word] then
      return "delete"
    end
    writes, reads = writes or WRITES[word], reads or READS[word]
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
local FROM = { "source", "from", "src", "old_path", "oldPath", "old_file_path", "source_path", "sourcePath", "source_file", "sourceFile", "path", "old", "oldUri", "old_uri" }

-- moved returns the path that a call moves away, nil for none.
function tools.moved(call)
  local name = call.kind == "mcp" and re.replace(call.name, "^mcp__.*?__", "") or call.host_name or call.name
  for _, word in ipairs(words_of(name)) do
    if MOVES[word] then
      for _, key in ipairs(FROM) do
        if type(call.input[key]) == "string" then
          return call.input[key]
        end
      end
    end
  end
end

-- The keys of a text that is written.
local WRITTEN = { "content", "contents", "new_string", "newString", "new_str", "new_text", "newText", "file_text", "text", "replacement", "replace", "patch", "input", "code_edit", "insert_text" }
local EDITS = 20

-- written returns what a call writes into its file, as far as it says it.
function tools.written(call)
  local input = call.input
  for _, key in ipairs(WRITTEN) do
    if type(input[key]) == "string" then
      return input[key]
    end
  end
  local parts = {}
  for i, edit in ipairs(type(input.edits) == "table" and input.edits or {}) do
    if i <= EDITS and type(edit) == "table" then
      for _, key in ipairs(WRITTEN) do
        if type(edit[key]) == "string" then
          parts[#parts + 1] = edit[key]
        end
      end
    end
  end
  return parts[1] and table.concat(parts, "\n")
end

-- Names of tools that run a program, by their words: what it is written in, and that it is run.
local LANGUAGES = { python = "python3", python3 = "python3", py = "python3", ipython = "python3", jupyter = "python3", notebook = "python3", cell = "python3", kernel = "python3", code = "python3", interpreter = "python3", repl = "python3",
  javascript = "node", js = "node", node = "node", nodejs = "node", typescript = "node", ts = "node", deno = "node", ruby = "ruby", perl = "perl", php = "php", bash = "sh", shell = "sh", sh = "sh", zsh = "sh" }
local RUNS = set("run execute exec eval interpreter repl executor edit insert append overwrite sandbox")
local ALONE = set("python python3 ipython node javascript")
-- What isn't on this machine, or doesn't run it.
local ELSEWHERE = set("browser page playwright puppeteer chrome chromium devtools selenium webdriver safari firefox figma lint format check analyze explain review search read get list find")
local PROGRAMS = { "code", "new_source", "source", "cell_source", "python_code", "script", "program", "source_code", "cell_content", "snippet", "newCode", "new_code" }

-- program returns the interpreter and the text of a program that a call runs or puts into a notebook, nil for none.
function tools.program(call)
  if call.kind == "write" or call.kind == "read" then
    return nil
  end
  local words, input = words_of(call.host_name or call.name), call.input
  local language, runs = nil, false
  for _, word in ipairs(words) do
    if ELSEWHERE[word] then
      return nil
    end
    local known = LANGUAGES[word]
    if known and (not language or known ~= "python3") then
      language = known
    end
    runs = runs or RUNS[word] or #words == 1 and ALONE[word]
  end
  if not language or not runs or call.kind == "edit" and not text.contains(table.concat(words, " "), "notebook") or input.cell_type == "markdown" or input.cellType == "markdown" then
    return nil
  end
  local given = input.language or input.lang or input.runtime
  language = type(given) == "string" and LANGUAGES[given:lower()] or language
  for _, key in ipairs(PROGRAMS) do
    if type(input[key]) == "string" then
      return language, input[key]
    end
  end
  return language, type(input.input) == "string" and input.input or nil
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

-- does returns all that is known of what a call does, for judge.tool.
function tools.does(call)
  local does = { access = tools.access(call), database = tools.database(call) }
  if call.kind ~= "read" and call.kind ~= "search" then
    does.moved, does.written = tools.moved(call), tools.written(call)
    does.files = tools.handles_files(call)
    does.interpreter, does.source = tools.program(call)
  end
  return does
end

return tools
