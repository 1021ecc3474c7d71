-- Formats a file after the agent has edited it, with the formatter for its language.
--
-- A project's own prettier is run by npx; "--no-install" keeps it from being downloaded.
local PRETTIER = { "npx", "--no-install", "prettier", "--write", "--log-level=warn" }
local FORMATTERS = {
  go = { "gofmt", "-w" },
  rs = { "rustfmt" },
  py = { "ruff", "format", "--quiet" },
  js = PRETTIER, jsx = PRETTIER, ts = PRETTIER, tsx = PRETTIER,
  css = PRETTIER, html = PRETTIER, json = PRETTIER, yaml = PRETTIER, md = PRETTIER,
}

-- Runs the formatter, and gives a line for the agent, or nil if the file was well-formed.
local function format(formatter, file)
  local program, args = formatter[1], { unpack(formatter, 2) }
  args[#args + 1] = file
  local before = fs.read(file)
  local ran, problem = exec.run(program, args)
  if not ran then
    return ("%s was not formatted: %s"):format(file, problem)
  elseif ran.code ~= 0 then
    return ("%s can't format %s: %s"):format(program, file, text.truncate(ran.stderr, 1000))
  elseif fs.read(file) ~= before then
    return ("%s was formatted: read it again before you edit it"):format(file)
  end
end

on("post_tool_call", { match = { kind = "write|edit" }, timeout = "20s" }, function(ev)
  local notes = {}
  for _, file in ipairs(ev.tool_call.files) do
    local formatter = FORMATTERS[path.ext(file):sub(2)]
    if formatter and ev.tool_call.outcome == "ok" and path.inside(ev.root, file) and fs.exists(file) then
      notes[#notes + 1] = format(formatter, file)
    end
  end
  if #notes > 0 then
    return context(table.concat(notes, "\n"))
  end
end)
