-- Tools that run a text which may be no shell's: the text of a call may be a program in JavaScript or Python.

local code = {}

-- Names of tools that run commands for sure.
local SHELLS = patterns.later([[(?i)bash|shell|zsh|\bsh\b|terminal|command|cmd|process|stdin]])

local JAVASCRIPT = patterns.later([[(?m)^\s*(?:(?:const|let|var)\s+[\w$\[{][^\n]*=|await\s+[\w$.]+\(|(?:async\s+)?function\b[^\n]*\(|import\s+[^\n]*\bfrom\s*['"]|import\s*['"{*]|export\s+(?:default|const|function)\b|]] ..
  [[console\.\w+\(|\(async\b|\(\(\)\s*=>|(?:return|throw)\s+new\b|module\.exports\b|require\(['"]|[\w$.]+\([^\n]*=>\s*[{(\w]|//\s|text\()|=>\s*\{]])
local PYTHON = patterns.later([[(?m)^\s*(?:import\s+[\w.]+(?:\s*,\s*[\w.]+)*(?:\s+as\s+\w+)?\s*(?:$|;|#)|from\s+[\w.]+\s+import\b|def\s+\w+\(.*\)[^\n]*:|class\s+\w+[^\n]*:\s*$|print\(|with\s+[^\n]*\bas\s+\w+:|for\s+\w+\s+in\s+[^\n]*:\s*$|]] ..
  [[(?:if|elif|while|except)\b[^\n]*:\s*$|try:\s*$|[\w.]+\s*=\s*[\w.]+\()]])

-- Texts in quotes that may be commands, as a program hands them to other tools.
local HANDED = [[(?s)"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`]]
local MANY = 50

-- commands lists the commands that the text of a call runs as a program in another language, behind those that it
-- is as a line of a shell; nil if it isn't such a program for sure, or the tool is a shell.
function code.commands(call, options)
  local name = call.host_name or call.name
  if SHELLS:match(name) then
    return nil
  end
  local source = call.command
  local interpreter = JAVASCRIPT:match(source) and { "node", "-e" } or PYTHON:match(source) and { "python3", "-c" }
  if not interpreter then
    return nil
  end
  options.names = require("names").all()
  local found = {}
  for _, cmd in ipairs(shell.parse(source, options).commands) do
    found[#found + 1] = cmd
  end
  for _, cmd in ipairs(shell.parse(shell.quote(interpreter[1], interpreter[2], source), options).commands) do
    found[#found + 1] = cmd
  end
  for _, match in ipairs(re.find_all(source, HANDED, MANY)) do
    local inner = match:sub(2, -2):gsub("\\n", "\n"):gsub("[\\](.)", "%1")
    if inner:find(" ", 1, true) then
      local handed = shell.parse(inner, options)
      for _, cmd in ipairs(handed.error and {} or handed.commands) do
        found[#found + 1] = cmd
      end
    end
  end
  return found
end

return code
