-- Folders with keys that a server of files gives to whoever asks.

local content = require("content")
local secretfile = require("secretfile")
local set = rules.set

-- Servers of files by how they are told which folder it is: options, and whether an operand says it.
local FOLDER = { "-d", "--directory", "--dir", "--root", "-r", "-t", "--docroot", "--path", "-h", "--home", "--folder", "-w" }
local SERVERS = { "http.server", "SimpleHTTPServer", "uploadserver", "pyftpdlib", "updog", "http-server", "serve", "live-server", "lite-server", "local-web-server", "ws", "superstatic", "sirv", "servor", "browser-sync", "php", "ruby", "caddy", "httpd",
  "miniserve", "dufs", "darkhttpd", "webfsd", "thttpd", "static-web-server", "simple-http-server", "sfz", "goshs", "gohttpserver", "rclone", "twistd", "twist", "mini_httpd", "lighttpd", "quark", "nweb", "basic-http-server", "ran", "serve-handler", "five-server", "vsftpd",
  "gatling", "busybox", "uftpd", "devd", "filebrowser", "restic-rest-server", "serveo", "zrok", "ngrok" }
local ANYTHING = set("php ruby caddy busybox rclone twistd twist")
local HERE = patterns.later([[^(?:\[?::1\]?|127\.|localhost)]])

-- Whether a program that does more is told to serve.
local function serves(cmd)
  local name = cmd.name
  if not ANYTHING[name] then
    return true
  elseif name == "php" then
    return cmd:flag("-S")
  elseif name == "ruby" then
    return table.concat(cmd.args, " "):find("-run", 1, true) and table.concat(cmd.args, " "):find("httpd", 1, true)
  elseif name == "caddy" then
    return cmd.args[1] == "file-server"
  elseif name == "rclone" then
    return cmd.args[1] == "serve"
  elseif name == "busybox" then
    return false -- what it runs is a command of its own
  end
  return re.match(table.concat(cmd.args, " "), "\\b(web|ftp)\\b")
end

-- The folders that a server gives away: those that it is told, and without any the one where it runs.
local function served(cmd)
  local list, told = {}, false
  for i, word in ipairs(cmd.args) do
    local value = word:match("^%-%-?[%w-]+=(.+)$") or word
    if word:sub(1, 1) ~= "-" or value ~= word then
      local folder = value:gsub("^file://", ""):gsub("^[^/~]+:([/~])", "%1")
      local option = cmd.args[i - 1] or ""
      if value ~= word or option:sub(1, 1) ~= "-" or rules.set(table.concat(FOLDER, " "))[option] then
        told = told or folder:find("[/~]") ~= nil or folder == "." or value ~= word
        list[#list + 1] = cmd.dir and not path.is_abs(folder) and folder:sub(1, 1) ~= "~" and path.is_abs(cmd.dir) and path.join(cmd.dir, folder) or folder
      end
    end
  end
  if not told and cmd.dir then
    list[#list + 1] = cmd.dir
  end
  return list
end

-- The key that the line has put into a folder, or linked there.
local function put_into(folder, cmd, scene)
  for _, other in ipairs(scene.commands) do
    if other == cmd then
      return nil
    end
    for _, file in ipairs(other:files("write")) do
      if path.is_abs(file.path) and path.is_abs(folder) and path.inside(folder, file.path) then
        local kind, key = content.staged(file.path, cmd, scene)
        kind = key and kind
        for _, word in ipairs(not kind and other.name == "ln" and other.args or {}) do
          kind = kind or secretfile.folder(word)
        end
        if kind then
          return kind
        end
      end
    end
  end
end

local function gives(whole)
  return function(cmd, scene)
    if cmd.remote and not cmd.mounted or cmd:flag("--help", "--version") or not serves(cmd) then
      return nil
    end
    for _, option in ipairs({ "-b", "--bind", "--host", "-a", "--address", "-i", "--interfaces", "-S", "--listen", "-l" }) do
      local host = cmd:flag(option)
      if type(host) == "string" and HERE:match(host) then
        return nil
      end
    end
    for _, folder in ipairs(served(cmd)) do
      local target = path.clean(folder)
      if whole and (target == "/" or target == "~" or target == scene.home) then
        return target
      elseif not whole then
        local kind = secretfile.folder(target) or secretfile.kind({ path = target, glob = false, cmd = cmd }, scene)
        kind = kind or #scene.commands > 1 and put_into(target, cmd, scene)
        if kind then
          return kind
        end
      end
    end
  end
end

return { class = "leaks", title = "Keys that leave the machine", rules = {
  {
    id = "leaks.served",
    severity = "high",
    programs = SERVERS,
    looks_at = "the folder that a server of files gives away, by its options, its operands or where it runs",
    when = gives(false),
    reason = "This gives {detail} to whoever reaches this machine: who has a key can log in as the user.",
    advice = "Serve the folder that somebody needs.",
    suggestion = "python3 -m http.server -d docs",
    blocked = { "python3 -m http.server -d ~/.ssh", "npx http-server ~/.ssh", "cd ~/.ssh && python3 -m http.server", "php -S 0:80 -t ~/.ssh" },
    passes = { "python3 -m http.server -d docs", "npx serve dist", "php -S localhost:8000 -t public", "caddy file-server --root site" },
  },
  {
    id = "leaks.served-all",
    severity = "medium",
    programs = SERVERS,
    looks_at = "the same, if it is all of the home folder or of the machine",
    when = gives(true),
    reason = "This gives all of {detail} to whoever reaches this machine, with the keys in it.",
    advice = "Serve the folder that somebody needs, or this machine alone: --bind 127.0.0.1.",
    suggestion = "python3 -m http.server -d docs",
    blocked = { "python3 -m http.server -d ~", "cd / && python3 -m http.server" },
    passes = { "python3 -m http.server", "cd ~ && python3 -m http.server --bind 127.0.0.1" },
  },
} }
