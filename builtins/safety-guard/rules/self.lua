-- The guard itself: an agent must not give itself the user's permission, nor end the process that watches over
-- it. These rules can't be switched off.

local agents = require("later")("agents")
local texts = require("later")("texts")
local set = rules.set

-- luahook's verbs, to distinguish them from the values of options.
local VERBS = {}
for _, verb in ipairs({ "allow", "off", "trust", "install", "uninstall", "eval", "events", "version", "schema", "log", "test", "trace", "run", "help", "completion",
  "check", "list", "init", "rules", "doctor", "explain", "why", "status", "new", "bench", "export", "import", "serve", "replay", "types", "store", "tasks" }) do
  VERBS[verb] = true
end

-- The arguments of luahook if a command runs it, by its name or from its source.
local SOURCE = patterns.later([[(^|/)cmd/luahook(/|/main\.go|/\.)?(@[^/]*)?$]])

local function contains(list, wanted)
  for _, word in ipairs(list) do
    if word == wanted then
      return true
    end
  end
  return false
end

local function after_source(cmd, words)
  if cmd.name == "luahook" then
    return words
  elseif cmd.name ~= "go" or cmd:subcommand() ~= "run" then
    return nil
  end
  for i, word in ipairs(words) do
    if SOURCE:match(word) or word == "." and SOURCE:match(cmd.dir or "") then
      local rest = {}
      for j = i + 1, #words do
        rest[#rest + 1] = words[j]
      end
      return rest
    end
  end
end

local function arguments(cmd)
  return after_source(cmd, cmd:operands())
end

-- What store and tasks are told to change, and what they only show. Flags may stand before a verb and have any
-- value, so only the first words say for sure that nothing is changed.
local CHANGES = { store = { set = true, delete = true }, tasks = { close = true } }
local SHOWS = { show = true, list = true, help = true, ["--help"] = true, ["-h"] = true }

local function changes(cmd)
  local words = after_source(cmd, cmd.args) or {}
  local first = words[1]
  if VERBS[first] and not CHANGES[first] or CHANGES[first] and (SHOWS[words[2]] or SHOWS[words[3]] == true and words[3]:sub(1, 1) == "-" and #words == 3) then
    return nil
  end
  for i, word in ipairs(words) do
    for j = i + 1, CHANGES[word] and #words or 0 do
      if CHANGES[word][words[j]] then
        return word .. " " .. words[j]
      end
    end
  end
end

local function admin(cmd)
  local change = changes(cmd)
  if change then
    return change
  end
  for _, verb in ipairs(arguments(cmd) or {}) do
    if VERBS[verb] then
      if cmd:flag("--help", "-h") then
        return nil
      elseif verb == "allow" or verb == "off" or verb == "uninstall" then
        return verb
      elseif verb == "trust" then
        return not cmd:flag("--list", "--check") and verb or nil
      elseif verb == "install" then
        return cmd:flag("--uninstall") and "install --uninstall" or nil
      elseif verb == "log" then
        return cmd:flag("--purge") and "log --purge" or nil
      end
      return nil
    end
  end
end

local function operand(cmd, name, from)
  for i, word in ipairs(cmd:operands()) do
    if i >= (from or 1) and path.base(word) == name then
      return word
    end
  end
end

-- Programs that name processes, and those that do so after ps.
local FINDS = { pgrep = "always", pidof = "always", lsof = "always", grep = "ps", egrep = "ps", rg = "ps", awk = "ps" }

-- A pattern about luahook: luahook eval, [l]uahook, luahoo.
local ABOUT = patterns.later([[(^|/)([\w-]+\.)*(\[l\]|l)uahoo(\[k\]|k(\.(exe|service|plist))?)?($|\s)]])

-- Programs whose first operand is a regular expression for what they find.
local MATCHES = set("pkill pgrep killall grep egrep rg")

-- A pattern of awk.
local AWK = patterns.later([[/((?:[^/\\]|\\.)+)/]])

-- Whether a regular expression finds a process of luahook; one that finds anything isn't about it.
local function finds_it(cmd, pattern)
  if not pattern or cmd.name == "killall" and not cmd:flag("-r", "--regexp") then
    return false
  elseif cmd:flag("-x", "--exact", "--line-regexp") then
    pattern = "^(" .. pattern .. ")$"
  end
  local known, found = pcall(re.match, "luahook", "(?i)" .. pattern)
  return known and found and not re.match("0", pattern)
end

local function about(cmd)
  local operands = cmd:operands()
  for _, word in ipairs(operands) do
    if ABOUT:match(word) then
      return word
    end
  end
  if MATCHES[cmd.name] and finds_it(cmd, operands[1]) then
    return "luahook"
  elseif cmd.name == "awk" then
    for _, pattern in ipairs(AWK:find_all(operands[1] or "")) do
      if finds_it(cmd, pattern:sub(2, -2)) then
        return "luahook"
      end
    end
  end
end

local STOPS = { stop = true, disable = true, mask = true, kill = true, unload = true, bootout = true, remove = true }

-- Programs that print where a program is, those that look for files, and those that run a command on what they read.
local WHERE = set("which command type whereis readlink realpath hash where")
local FINDERS = set("find gfind bfs fd fdfind locate plocate mdfind")
local FEEDS = set("xargs gxargs parallel")

-- The options of each agent that switch hooks off.
local OPTIONS = patterns.later([[(?i)disableallhooks|allowmanagedhooksonly|^(--config=|-c)?features\.(codex_)?hooks=false|^(--config=|-c)?hooks(\.[\w.]+)?=|hooksconfig|^--(no|disable)-hooks$]])

-- Those of one agent.
local OWN_OPTIONS = { claude = set("--bare"), opencode = set("--pure"), codex = set("--ignore-user-config") }

local TAKES_AWAY = patterns.later([[^(disable|disable-all|uninstall|remove|rm)$]])
local EXTENSIONS = set("plugin plugins extension extensions")

-- Whether a list of the settings that claude reads leaves out those of the user or of the project.
local function leaves_out(sources)
  return not (text.contains(sources, "user") and text.contains(sources, "project"))
end

-- The file of settings that the line has written before, and that switches hooks off.
local function written_settings(cmd, scene)
  local name = cmd:flag("--settings")
  local found = type(name) == "string" and not name:find("{", 1, true) and texts.of(cmd, name, scene) or {}
  for _, written in ipairs(found) do
    if OPTIONS:match(written) then
      return name
    end
  end
end

local function switched_off(cmd, scene)
  local name = agents.of(cmd)
  for i, word in ipairs(cmd.args) do
    local before = cmd.args[i - 1]
    if OPTIONS:match(word) or before == "--disable" and word == "hooks" or OWN_OPTIONS[name] and OWN_OPTIONS[name][word] then
      return word
    elseif before == "--setting-sources" and leaves_out(word) or text.starts_with(word, "--setting-sources=") and leaves_out(word) then
      return "--setting-sources"
    end
  end
  local operands = cmd:operands()
  local what, verb = operands[1] or "", operands[2] or ""
  if what == "hooks" and TAKES_AWAY:match(verb) or EXTENSIONS[what] and TAKES_AWAY:match(verb) and about(cmd) then
    return what .. " " .. verb
  end
  return agents.other_settings(cmd, scene) or written_settings(cmd, scene)
end

-- Programs that remove packages.
local MANAGERS = set("brew apt apt-get aptitude dnf microdnf yum pacman yay paru apk snap flatpak winget scoop choco nix nix-env guix npm pnpm yarn bun mise asdf zypper pipx pip uv " ..
  "cargo gem go conda mamba pixi volta port pkg pkgin xbps-remove emerge eopkg rpm-ostree dpkg rpm stow")

local REMOVES = set("uninstall remove purge rm autoremove erase unlink un unuse delete r")

-- Options by which the others remove.
local REMOVES_BY = {
  pacman = { "-R", "-Rs", "-Rns", "-Rdd", "-Rn", "-Rc" }, ["nix-env"] = { "-e", "--uninstall" }, dpkg = { "-r", "-P", "--remove", "--purge" }, rpm = { "-e", "--erase" },
  emerge = { "-C", "--unmerge", "-c", "--depclean" }, guix = { "-r", "--remove" }, stow = { "-D", "--delete" },
}
REMOVES_BY.yay, REMOVES_BY.paru = REMOVES_BY.pacman, REMOVES_BY.pacman

-- luahook as a package: with its version, or as one of a collection.
local PACKAGE = patterns.later([[(^|[/#.])luahook(@[\w.^~-]*)?$]])

local function removed(cmd)
  local name, operands = cmd.name or "", cmd:operands()
  if not MANAGERS[name] then
    return nil
  end
  local first, by = operands[1] or "", REMOVES_BY[name]
  local removes = name == "xbps-remove" or first == "del" and name == "apk" or first == "clean" and name == "go" and cmd:flag("-i")
    or name ~= "go" and (REMOVES[first] or REMOVES[operands[2] or ""]) or by and cmd:flag(unpack(by))
  for _, word in ipairs(removes and operands or {}) do
    if PACKAGE:match(word) then
      return word
    end
  end
end

-- The program as find looks for it, outside of the working folder.
local NAMED = patterns.later([[^(.*[/*])?luahook[*?.\w]*$]])
local LOOKS = set("-name -iname -path -wholename -ipath -regex")

local function is_searched(cmd)
  if WHERE[cmd.name or ""] then
    return operand(cmd, "luahook")
  elseif not FINDERS[cmd.name or ""] then
    return nil
  end
  local elsewhere, named = false, nil
  for i, word in ipairs(cmd.args) do
    elsewhere = elsewhere or word:find("^[/~$]") ~= nil
    if NAMED:match(word) and (LOOKS[cmd.args[i - 1] or ""] or cmd.name ~= "find" and cmd.name ~= "gfind") then
      named = word
    end
  end
  return elsewhere and named
end

-- Whether a command writes or deletes the program: which prints its name, what find finds is only known at run time.
local function changes_it(cmd, dynamic)
  for _, file in ipairs(cmd:files("write", "delete")) do
    if path.base(file.path) == "luahook" or dynamic and file.dynamic and not file.redirected then
      return true
    end
  end
  return false
end

local MANY = 200

-- found_and_changed is about a search for the program whose finding another command of the line changes.
local function found_and_changed(cmd, scene)
  local program, commands = is_searched(cmd), scene.commands or {}
  if not program or #commands > MANY then
    return nil
  end
  local feeds, finds = {}, FINDERS[cmd.name] ~= nil
  for i, word in ipairs(finds and cmd.args or {}) do
    if word == "-delete" or word:find("^%-fprint") and NAMED:match(cmd.args[i + 1] or "") then
      return program
    end
  end
  for _, stage in ipairs(cmd.pipe and scene:pipeline(cmd) or {}) do
    feeds[stage] = FEEDS[stage.name or ""] or nil
  end
  for _, other in ipairs(commands) do
    local parent = other.parent
    local told = parent and (feeds[parent] or finds and rawequal(parent, cmd))
    if (told or cmd.context == "substitution") and changes_it(other, told or finds) then
      return program
    end
  end
end

return { class = "self", title = "The guard itself", rules = {
  {
    id = "self.admin",
    severity = "critical",
    programs = { "luahook", "go run" },
    remote = true,
    looks_at = "cmd: luahook trust, allow, off, uninstall, log --purge, store set, store delete, tasks close",
    when = admin,
    reason = "luahook {detail} is the user's word, and not the agent's to give.",
    advice = "Say what you need and why; the user decides.",
    suggestion = "luahook trust --list",
    blocked = { "luahook trust", "sudo /usr/local/bin/luahook off --for 10m", "luahook allow", "luahook log --purge --yes", "script -qc 'luahook trust --yes' /dev/null", "go run ./cmd/luahook trust",
      "luahook store set pushes 0", "luahook store delete --prefix job: --yes", "luahook --cwd eval store delete k", "luahook store --script show delete k", "luahook store delete k --session --help", "luahook tasks close t-1", "go run ./cmd/luahook tasks close t-1" },
    passes = { "luahook store", "luahook store show delete", "luahook tasks list --label close", "luahook store set --help", "luahook eval store --cwd set", "go test ./cmd/luahook -run store",  "luahook trust --list", "luahook trust --check", "luahook log --decision deny", "luahook eval pre_tool_call", "luahook trust --help", "go run ./cmd/shop trust", "luahook install --agent claude" },
  },
  {
    id = "self.init",
    severity = "medium",
    programs = { "luahook", "go run" },
    looks_at = "cmd: luahook init",
    when = function(cmd)
      local words = after_source(cmd, cmd.args) or {}
      if VERBS[words[1]] and words[1] ~= "init" or cmd:flag("--help", "-h") then
        return nil
      end
      return contains(words, "init") and "init" or nil
    end,
    reason = "luahook {detail} writes hooks, which watch over this agent.",
    advice = "Let the user run it.",
    suggestion = "ls .hooks",
    blocked = { "luahook init", "luahook init --example push", "go run ./cmd/luahook init" },
    passes = { "luahook init --help", "luahook check", "git init", "luahook test", "luahook list" },
  },
  {
    id = "self.admin-unknown",
    severity = "medium",
    programs = { "luahook" },
    looks_at = "cmd.words: a verb of luahook that isn't known",
    when = function(cmd)
      for _, word in ipairs(cmd.words) do
        if VERBS[word.text] then
          return nil
        elseif word.dynamic or word.glob then
          return word.text
        end
      end
    end,
    reason = "The verb that this gives luahook can't be known before it runs ({detail}).",
    advice = "Write the verb out.",
    suggestion = "luahook version",
    blocked = { 'luahook "$VERB"' },
    passes = { 'luahook eval pre_tool_call --cwd "$PWD"', "luahook version" },
  },
  {
    id = "self.stop",
    severity = "critical",
    programs = { "pkill", "killall", "skill", "taskkill", "killall5", "systemctl", "launchctl", "service", "rc-service", "sv", "fuser" },
    looks_at = "cmd: luahook as what is ended",
    when = function(cmd)
      if cmd.name == "fuser" then
        return cmd:flag("-k", "--kill") and text.contains(table.concat(cmd.args, " "), "luahook") and "luahook"
      end
      local manages = re.match(cmd.name, "^(systemctl|launchctl|service|rc-service|sv)$")
      for _, word in ipairs(manages and cmd:operands() or {}) do
        if STOPS[word] then
          return about(cmd)
        end
      end
      return not manages and about(cmd) or nil
    end,
    reason = "This ends {detail}, which watches over this agent.",
    advice = "Leave it; say what it prevents.",
    suggestion = "pgrep luahook",
    blocked = { "pkill luahook", "pkill -9 -f luahook", "killall luahook", "systemctl --user stop luahook", "pkill -f 'luah.*'", "fuser -k /usr/local/bin/luahook" },
    passes = { "pgrep luahook", "fuser -k 3000/tcp", "pkill -f 'node server.js'", "systemctl status luahook", "pkill -x lua" },
  },
  {
    id = "self.stop-found",
    severity = "critical",
    programs = { "kill" },
    looks_at = "scene.commands: a search for luahook beside the kill",
    when = function(_, scene)
      local listed = false
      for _, cmd in ipairs(scene.commands) do
        listed = listed or cmd.name == "ps"
        local finds = FINDS[cmd.name or ""]
        local found = (finds == "always" or finds and listed) and about(cmd)
        if found then
          return found
        end
      end
    end,
    reason = "This ends {detail}, which watches over this agent.",
    advice = "Leave it; say what it prevents.",
    suggestion = "pgrep luahook",
    blocked = { "kill -9 $(pgrep luahook)", "pidof luahook | xargs kill" },
    passes = { "pgrep luahook", "kill $(pgrep node)", "grep luahook README.md; kill 123" },
  },
  {
    id = "self.remove",
    severity = "critical",
    needs = { "luahook" },
    looks_at = "cmd: luahook as a package that is removed",
    when = removed,
    reason = "This removes {detail}, which watches over this agent.",
    advice = "Leave it; say what it prevents.",
    suggestion = "brew list",
    blocked = { "brew uninstall luahook", "sudo apt-get remove -y luahook", "uv tool uninstall luahook", "nix profile remove luahook", "pnpm rm -g luahook" },
    passes = { "brew list", "brew uninstall wget", "brew upgrade luahook" },
  },
  {
    id = "self.program-found",
    severity = "medium",
    needs = { "luahook" },
    looks_at = "cmd and scene.commands: a search for the program luahook, and the files that other commands write or delete with what it finds",
    when = found_and_changed,
    reason = "{detail} watches over this agent.",
    advice = "Leave it; build into another folder.",
    suggestion = "which luahook",
    blocked = { "rm $(which luahook)", 'mv "$(command -v luahook)" /tmp/', 'cp /bin/true "$(which luahook)"', ": > $(which luahook)", "which luahook | xargs rm", "find /usr/local/bin -name luahook -exec cp /bin/true {} \\;" },
    passes = { "ls -l $(which luahook)", "rm -f luahook && go build -o luahook ./cmd/luahook", "cp $(which luahook) /tmp/luahook.bak", "which luahook | xargs ls -l", "find / -name luahook -type f" },
  },
  {
    id = "self.switch",
    severity = "medium",
    programs = { "claude", "codex", "gemini", "qwen", "copilot", "opencode", "cursor-agent", "crush", "amp", "droid", "kiro-cli", "claude-code", "gemini-cli", "qwen-code", "opencode-ai" },
    looks_at = "cmd.args, cmd.env: options of agents that switch their hooks off, and variables that give them other settings",
    when = switched_off,
    reason = "An agent that is started like this runs without its hooks ({detail}).",
    advice = "Start it with them.",
    suggestion = "claude -p 'run the tests'",
    blocked = { [[claude --settings '{"disableAllHooks": true}' -p x]], "codex -c features.hooks=false exec x", "codex --disable hooks",
      "CLAUDE_CONFIG_DIR=/tmp/empty claude -p x", "export CODEX_HOME=/tmp/empty; codex exec x", "claude --setting-sources '' -p x", "gemini hooks disable-all", "gemini extensions uninstall luahook" },
    passes = { "claude -p 'run the tests'", "codex exec 'fix it'", "claude --setting-sources user,project,local -p x", "gemini extensions list" },
  },
} }
