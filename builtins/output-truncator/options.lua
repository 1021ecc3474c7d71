-- The options of output-truncator, checked.

local settings = require("settings")

local SNIPPETS = { "summaries", "crashes", "failures", "errors" }

-- Options that can be set for all tools, and for some in `tools`.
local limits = {
  { name = "max_bytes", type = "whole", default = 30000, least = 1000, most = 8388608, help = "The most bytes of an output that it leaves." },
  { name = "max_lines", type = "whole", default = 2000, least = 10, most = 1000000, help = "The most lines of it that it leaves." },
  { name = "head", type = "number", default = 0.3, least = 0, most = 1, help = "The share of the beginning in the shortened output." },
  { name = "tail", type = "number", default = 0.4, least = 0, most = 1, help = "The share of the end. The remaining share is for the lines between that matter; head and tail get what these don't use." },
  { name = "snippets", type = "choices", of = SNIPPETS, help = "Which lines between it keeps: summaries of test runners and compilers, crashes with their stack traces, failures of tests, errors. By default all of them in the outputs of commands, MCP tools and tools that aren't known, and none in what was read, searched or fetched, because the words mean something else there." },
}

local options = {
  name = "output-truncator",
  help = "Shortens long outputs of tools to what the agent needs of them: the beginning, the end, and between them the lines that matter (summaries of tests and builds, crashes with their stack traces, failed tests, errors). "
    .. "For each gap, a line in brackets says how many lines and bytes were cut; the first one says where the full text is. It cuts at the ends of lines and never inside a character; an output never becomes longer. "
    .. "It touches only an output that is too long. Before it cuts, it leaves out escape sequences of terminals, overwritten progress bars and repetitions of a line. "
    .. "If the output is a table, it cuts the texts in it and keeps its shape. Images and other binary data stay as they are, and so do the tables that tools for editing answer with. "
    .. "List it after secret-redactor, so that the full text is kept without secrets.",
  events = { "post_tool_call", "tool_result_persist" },
  options = {
    limits[1],
    limits[2],
    limits[3],
    limits[4],
    limits[5],
    { name = "keep", type = "texts", default = {}, help = "Lines that it keeps before all others, as patterns (RE2), each with a text of two letters that a match must have." },
    { name = "spill", type = "boolean", default = true, help = "Whether it keeps the full text in a file that the agent may read." },
    { name = "squeeze", type = "boolean", default = true, help = "Whether it leaves escape sequences, overwritten progress and repeated lines out of an output that is too long." },
    { name = "note", type = "boolean", default = false, help = "Whether a comment on the issue that the agent works on (`issue_id`) says which tool's output was shortened, how much of it was cut, and where the full text is. That needs a tracker of tasks which has the issue; only the data says what the tracker refuses." },
    { name = "tools", type = "map", default = {}, help = "Other values of the five options at the top for some tools, by name, by name* or by kind (shell, read, search, web, mcp ...); false leaves the tool's outputs alone." },
  },
  data = {
    { name = "truncated", type = "table", help = "of an output that was shortened: tool, bytes and lines that it had, left_bytes, cut_bytes and cut_lines (between markers), cut_items (of lists), path of the full text, problem (why there is none), noted (that the issue has a comment on it) or not_noted (why it hasn't), snippets (a list of name, found and kept, in lines) and squeezed (escapes, overwritten and repeated, in numbers)" },
  },
  examples = {
    {
      text = "With nothing said, 30,000 bytes and 2,000 lines of an output are left:",
      yaml = "post_tool_call:\n  - {name: shorten, builtin: output-truncator}",
      event = { event = "post_tool_call", tool_call = { name = "bash", input = { command = "go test ./..." }, outcome = "ok", output = "ok  \tshop/cart\t0.41s\n" } },
      gives = { decision = "" },
    },
    {
      text = "Tighter for commands, more for what is read, nothing for one MCP server; lines that begin with NOTICE are kept as well:",
      yaml = "post_tool_call:\n  - builtin: output-truncator\n    with:\n      max_bytes: 1000\n      keep: '^NOTICE: '\n      spill: false\n      tools:\n        read: {max_bytes: 60000}\n        mcp__figma__*: false",
      event = { event = "post_tool_call", tool_call = { name = "bash", input = { command = "make" }, outcome = "error", output = ("cc -c part.c -O2 -Wall -o part.o\n"):rep(20) .. "NOTICE: the cache is cold\n" .. ("cc -c other.c -O2 -Wall -o other.o\n"):rep(20) .. "make: *** [all] Error 1\n" } },
      gives = { modified = true, output = "NOTICE: the cache is cold\n" },
    },
  },
}

-- Outputs of these tools may mention errors that aren't the call's.
local QUIET = { read = true, search = true, web = true, write = true, edit = true, agent = true }

local function checked(declared, values)
  if values.head + values.tail > 1 then
    error(("%s: head and tail are %g together, want at most 1"):format(declared.name, values.head + values.tail), 0)
  end
  return values
end

-- The values of tools[name], by name in lower case; options that aren't set there are as for all.
local function of_tools(all)
  local tools = {}
  for name, given in pairs(all.tools) do
    local declared = { name = "output-truncator: tools." .. tostring(name), options = {} }
    for i, option in ipairs(limits) do
      declared.options[i] = {}
      for key, value in pairs(option) do
        declared.options[i][key] = value
      end
      declared.options[i].default = all[option.name]
    end
    if given ~= false and type(given) ~= "table" then
      error(("%s: is a mapping of options, or false, got %s"):format(declared.name, type(given)), 0)
    end
    tools[name:lower()] = given and checked(declared, settings.read(declared, given))
  end
  return tools
end

-- The longest name* that a tool's name begins with.
local function by_beginning(tools, name)
  local best
  for pattern in pairs(tools) do
    if pattern:sub(-1) == "*" and text.starts_with(name, pattern:sub(1, -2)) and (not best or #pattern > #best) then
      best = pattern
    end
  end
  return best and tools[best]
end

-- read checks an entry of hooks.yaml. The function `of` of the result returns the options for a tool call, false
-- if its output is left alone.
function options.read(with)
  local all = checked(options, settings.read(options, with))
  local tools = of_tools(all)
  local ok, problem = pcall(text.snippets, { { name = "keep", patterns = all.keep } })
  if not ok then
    error("output-truncator: keep: " .. tostring(problem):gsub("^.-bad argument #1 to %S+ %((.*)%)$", "%1"), 0)
  end

  function all.of(call)
    local names = { call.name:lower(), (call.host_name or ""):lower() }
    local values = tools[names[1]]
    if values == nil then
      values = tools[names[2]]
    end
    if values == nil then
      values = by_beginning(tools, names[1])
    end
    if values == nil then
      values = tools[call.kind]
    end
    return values == nil and all or values
  end

  -- The names of the snippets that are searched for.
  function all.snippets_of(values, call)
    return values.snippets or (QUIET[call.kind] and {} or SNIPPETS)
  end
  return all
end

return options
