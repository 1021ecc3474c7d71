-- Programs that tools run, and the cells of notebooks: a cell may be a shell's as a whole, another interpreter's, or a
-- file's, and its lines may be commands to a shell or to the notebook.

local cells = {}

local FLAGS = { python3 = "-c", node = "-e", ruby = "-e", perl = "-e", php = "-r" }

-- The first line of a cell that isn't Python as a whole: %%bash, %%writefile FILE.
local CELL = patterns.later([[^(?:\s*#[^\n]*\n)*\s*%%(\w+)[ \t]*([^\n]*)\n?]])
local SHELLS = rules.set("bash sh shell sx system zsh")
local INTERPRETERS = { ruby = "ruby", perl = "perl", node = "node", python = "python3", python3 = "python3" }

-- A line for a shell, perhaps with what it gives kept under a name; one for the notebook; and what only says how Python is run.
local SHELL = patterns.later([[^\s*(?:[\w.,\[\]'" ]+=\s*)?(?:%\w+\s+(?:-\w+\s+)*)?(?:!!?|%(?:sx|system)\s)(.*)$]])
local PROGRAM = patterns.later([[^\s*%((?:rm|rmdir|mv|cp|ln|mkdir|cat|less|more|ls|ll|ldir)(?:\s.*)?)$]])
local FOLDER = patterns.later([[^\s*%cd\s+(?:-\w+\s+)*(.+)$]])
local TIMED = patterns.later([[^\s*%{1,2}(?:time|timeit|prun|capture|debug|memit|mprun|lprun)\b((?:\s+-\w+(?:\s+\d+)?)*)\s*]])
local OTHER = patterns.later([[^\s*%]])
local SYSTEM = patterns.later([=[get_ipython\(\)\s*\.\s*(?:system|getoutput|system_raw|system_piped)\s*\(\s*(?:[rfb]*)("[^"\n]*"|'[^'\n]*')]=])

-- What Python puts into a shell's line: {name}.
local PUT_IN = patterns.later([[\{[A-Za-z_][\w.\[\]'"()]*\}]])

local function for_shell(line)
  return (PUT_IN:replace(line, "$${_}"))
end

local function interpreted(interpreter, source)
  return shell.quote(interpreter, FLAGS[interpreter], source)
end

-- cell returns the lines of a cell whose first line says what it is, nil for one of Python.
local function cell(source)
  local found = CELL:captures(source)
  local kind = found and found[1]
  if not kind then
    return nil
  end
  local rest = source:sub(#found[0] + 1)
  if kind == "script" then
    kind = path.base(found[2]:match("^[%w/._-]+") or "")
  end
  if SHELLS[kind] then
    return { rest }
  elseif INTERPRETERS[kind] then
    return { interpreted(INTERPRETERS[kind], rest) }
  elseif kind == "writefile" or kind == "file" then
    local name = found[2]:gsub("^%-a%s+", ""):gsub("%s+$", "")
    return { "tee " .. shell.quote(name) }
  elseif TIMED:match(source) then
    return cells.lines("python3", rest)
  end
  return nil
end

-- lines returns the command lines that a program amounts to. Each line for a shell has one of its own; %cd holds for those
-- behind it.
function cells.lines(interpreter, source)
  if interpreter ~= "python3" or not (source:find("!", 1, true) or source:find("%", 1, true) or source:find("get_ipython", 1, true)) then
    return { interpreted(interpreter, source) }
  end
  local own = cell(source)
  if own then
    return own
  end
  local python, list, folder = {}, {}, ""
  local lines = text.lines(source)
  local at = 1
  while at <= #lines do
    local line = lines[at]
    local found = SHELL:captures(line) or PROGRAM:captures(line)
    if found then
      local command = found[1]
      while command:sub(-1) == "\\" and lines[at + 1] do
        at = at + 1
        command = command:sub(1, -2) .. lines[at]
      end
      list[#list + 1] = folder .. for_shell(command)
    elseif FOLDER:match(line) then
      folder = folder .. "cd " .. for_shell(FOLDER:captures(line)[1]) .. " && "
    elseif TIMED:match(line) then
      python[#python + 1] = TIMED:replace(line, "")
    elseif not OTHER:match(line) then
      python[#python + 1] = line
    end
    at = at + 1
  end
  for _, call in ipairs(SYSTEM:find_all(source)) do
    list[#list + 1] = for_shell(SYSTEM:captures(call)[1]:sub(2, -2))
  end
  table.insert(list, 1, interpreted("python3", table.concat(python, "\n")))
  return list
end

return cells
