-- The project's instructions for those who work on it: AGENTS.md and the like, quoted.

local quote = require("quote")
local room = require("room")

local MOST_FILES = 20
local MOST_NAMES = 100 -- that are searched for
local MOST_BYTES = 1048576 -- of a file
local MOST_LEVELS = 8 -- from the root to the agent's working folder

-- Files whose names say that they hold secrets, except samples of them.
local SECRET = patterns.later(
  [[(?i)(^|/)(\.env(rc)?(\.[^/]*)?|[^/]+\.env|id_(rsa|dsa|ecdsa|ed25519)[^/]*|[._]?netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.npmrc|\.pypirc|\.htpasswd|credentials(\.[^/]*)?|secrets?\.[^/]*|[^/]*\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|ovpn)|\.(ssh|aws|gnupg|kube|docker)/.*)$]]
)
local SAMPLE = patterns.later([[(?i)\.(example|sample|template|dist|md)$]])

local function is_secret(p)
  return SECRET:match(p) and not SAMPLE:match(p)
end

-- The folders in which a plain name is searched for: from the root down to the agent's working folder.
local function folders(cwd)
  local list = { "" }
  if host.root and cwd and path.is_abs(cwd) and path.inside(host.root, cwd) then
    local at = ""
    for _, name in ipairs(text.split(path.rel(host.root, cwd), "/")) do
      if name == "." or #list > MOST_LEVELS then
        break
      end
      at = at .. name .. "/"
      list[#list + 1] = at
    end
  end
  return list
end

-- named returns the paths that an entry of the option files stands for, or nil and a problem.
local function named(entry, cwd)
  if entry:find("[*?%[{]") then
    return fs.glob(entry)
  end
  local list = {}
  for i, dir in ipairs(entry:find("/", 1, true) and { "" } or folders(cwd)) do
    list[i] = dir .. entry
  end
  return list
end

local function is_among(list, p)
  for _, name in ipairs(list) do
    if name == p or name == path.base(p) then
      return true
    end
  end
  return false
end

-- head returns the part of a text that is needed to show most bytes.
local function head(s, most)
  if #s <= most then
    return s
  end
  s = text.truncate(s, most, "")
  return s:match("^(.*)\n[^\n]*$") or s
end

-- readable returns a file's text; or nil and, if it exists, why it isn't quoted.
local function readable(p, settings)
  local ok, there = pcall(fs.exists, p)
  local within, real = pcall(fs.real, p)
  if not ok or not within then
    return nil, "it leads out of the project"
  elseif not there or not real then
    return nil
  elseif is_secret(p) then
    return nil, "files of that name hold secrets"
  elseif is_secret(real) then
    return nil, "it leads to a file whose name says that it holds secrets"
  end
  local s, problem = fs.read(real, { max = MOST_BYTES })
  if not s then
    return nil, (problem:gsub("^.-: ", "", 1):gsub(" %(max.*$", ""))
  elseif s:find("\0", 1, true) then
    return nil, "it is not text"
  end
  local first = head(s, 4 * settings.budget + 16384)
  local shown = text.trim(quote.text(first))
  return shown ~= "" and { text = shown, unread = #s - #first } or nil
end

-- files returns the texts with their paths, and lines about those that aren't quoted.
local function files(settings, ev)
  local list, notes, seen, by_text, looked = {}, {}, {}, {}, 0
  for _, entry in ipairs(settings.files) do
    local ok, paths, problem = pcall(named, entry, ev.cwd)
    if not ok or not paths then
      notes[#notes + 1] = ("%s: left out (%s)."):format(quote.name(entry), quote.line(ok and problem or paths, 200))
    end
    for _, p in ipairs(ok and paths or {}) do
      if not seen[p] and not is_among(settings.host_reads, p) then
        seen[p] = true
        local name = quote.name(p)
        looked = looked + 1
        if #list == MOST_FILES or looked > MOST_NAMES then
          notes[#notes + 1] = ("Too many files; left out from %s on."):format(name)
          return list, notes
        end
        local file, why = readable(p, settings)
        if file and by_text[file.text] then
          notes[#notes + 1] = ("%s holds the same as %s."):format(name, by_text[file.text])
        elseif file then
          file.name, by_text[file.text] = name, name
          list[#list + 1] = file
        elseif why then
          notes[#notes + 1] = ("%s: left out (%s)."):format(name, quote.line(why, 200))
        end
      end
    end
  end
  return list, notes
end

-- The line about the rest of a file takes at most this many bytes.
local function rest_bytes(file)
  return #file.name + 40
end

local function wanted_by(file)
  return #file.text + quote.overhead(file.name) + (file.unread > 0 and rest_bytes(file) or 0)
end

-- A file within limit bytes, or nil.
local function quoted(file, limit)
  if file.unread == 0 and wanted_by(file) <= limit then
    return quote.block(file.name, file.text)
  end
  local most = limit - quote.overhead(file.name) - rest_bytes(file)
  if most < 80 then
    return nil
  end
  local shown = head(file.text, most)
  return ("%s... and %s more of %s\n"):format(quote.block(file.name, shown), room.size(#file.text - #shown + file.unread), file.name)
end

local LEFT_OUT = 120 -- bytes of the line about files that don't fit

return function(settings, ev)
  local list, notes = files(settings, ev)
  if #list == 0 and #notes == 0 then
    return nil
  end
  local said = table.concat(notes, "\n") .. (#notes > 0 and "\n" or "")
  local wishes, wanted = {}, #said
  for i, file in ipairs(list) do
    wishes[i] = wanted_by(file)
    wanted = wanted + wishes[i]
  end
  return {
    wanted = wanted,
    write = function(limit)
      local parts, left = {}, {}
      if wanted > limit then
        local fitting = #notes > 0 and room.fit(notes, math.floor(limit / 3), "note")
        said = fitting and fitting .. "\n" or ""
        limit = limit - LEFT_OUT
      end
      for i, share in ipairs(room.share(limit - #said, wishes, 200)) do
        local block = quoted(list[i], share)
        if block then
          parts[#parts + 1] = block
        else
          left[#left + 1] = list[i].name
        end
      end
      if #left > 0 then
        parts[#parts + 1] = text.truncate("Left out, not enough space: " .. table.concat(left, ", "), LEFT_OUT - 1) .. "\n"
      end
      return table.concat(parts) .. said
    end,
  }
end
