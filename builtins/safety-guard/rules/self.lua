-- The guard itself: an agent must not give itself the user's word, nor end what watches
-- over it. These rules can't be switched off.

-- luahook's verbs, to tell them from the values of options.
local VERBS = {}
for _, verb in ipairs({ "allow", "off", "trust", "install", "uninstall", "eval", "events", "version", "schema", "log", "test", "trace", "run", "help", "completion",
  "check", "list", "init", "rules", "doctor", "explain", "why", "status", "new", "bench", "export", "import" }) do
  VERBS[verb] = true
end

-- The arguments of luahook, where a command runs it: by its name, or from its source.
local SOURCE = re.compile([[(^|/)cmd/luahook(/|/main\.go|/\.)?(@[^/]*)?$]])

local function arguments(cmd)
  local operands = cmd:operands()
  if cmd.name == "luahook" then
    return operands
  elseif cmd.name ~= "go" or operands[1] ~= "run" then
    return nil
  end
  for i = 2, #operands do
    if SOURCE:match(operands[i]) or operands[i] == "." and SOURCE:match(cmd.dir or "") then
      local rest = {}
      for j = i + 1, #operands do
        rest[#rest + 1] = operands[j]
      end
      return rest
    end
  end
end

local function admin(cmd)
  for _, verb in ipairs(arguments(cmd) or {}) do
    if VERBS[verb] then
      if cmd:flag("--help", "-h") then
        return nil
      elseif verb == "allow" or verb == "off" or verb == "uninstall" then
        return verb
      elseif verb == "trust" then
        return not cmd:flag("--list") and verb or nil
      elseif verb == "install" then
        return cmd:flag("--uninstall") and "install --uninstall" or nil
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

local FINDS = { pgrep = true, pidof = true, grep = true, lsof = true }

local REMOVES = { uninstall = true, remove = true, purge = true, rm = true, autoremove = true, erase = true, unlink = true }

return { class = "self", title = "The guard itself", rules = {
  {
    id = "self.admin",
    severity = "critical",
    programs = { "luahook", "go" },
    looks_at = "cmd: luahook trust, allow, off, uninstall",
    when = admin,
    reason = "luahook {detail} is the user's word, and not the agent's to give.",
    advice = "Say what you need and why; the user decides.",
    suggestion = "luahook trust --list",
    blocked = { "luahook trust", "sudo /usr/local/bin/luahook off --for 10m", "luahook allow", "script -qc 'luahook trust --yes' /dev/null", "go run ./cmd/luahook trust" },
    passes = { "luahook trust --list", "luahook eval pre_tool_call", "luahook trust --help", "go run ./cmd/shop trust", "luahook install --agent claude" },
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
        elseif word.dynamic then
          return word.text
        end
      end
    end,
    reason = "What luahook is to do can't be known before it runs ({detail}).",
    advice = "Write the verb out.",
    suggestion = "luahook version",
    blocked = { 'luahook "$VERB"' },
    passes = { 'luahook eval pre_tool_call --cwd "$PWD"', "luahook version" },
  },
  {
    id = "self.stop",
    severity = "critical",
    programs = { "pkill", "killall", "skill", "taskkill", "killall5" },
    looks_at = "cmd: luahook as what is ended",
    when = function(cmd)
      return operand(cmd, "luahook") or operand(cmd, "luahook.exe")
    end,
    reason = "This ends {detail}, which watches over this agent.",
    advice = "Leave it; say what it is in the way of.",
    suggestion = "pgrep luahook",
    blocked = { "pkill luahook", "pkill -9 -f luahook", "killall luahook" },
    passes = { "pgrep luahook", "pkill -f 'node server.js'" },
  },
  {
    id = "self.stop-found",
    severity = "critical",
    programs = { "kill" },
    looks_at = "scene.commands: a search for luahook beside the kill",
    when = function(_, scene)
      for _, cmd in ipairs(scene.commands) do
        local found = FINDS[cmd.name or ""] and operand(cmd, "luahook")
        if found then
          return found
        end
      end
    end,
    reason = "This ends {detail}, which watches over this agent.",
    advice = "Leave it; say what it is in the way of.",
    suggestion = "pgrep luahook",
    blocked = { "kill -9 $(pgrep luahook)", "pidof luahook | xargs kill" },
    passes = { "pgrep luahook", "kill $(pgrep node)" },
  },
  {
    id = "self.remove",
    severity = "critical",
    programs = { "brew", "apt", "apt-get", "dnf", "yum", "pacman", "apk", "snap", "winget", "scoop", "choco", "nix-env", "npm", "mise", "asdf", "zypper" },
    looks_at = "cmd: luahook as a package that is removed",
    when = function(cmd)
      local verb = cmd:operands()[1]
      return (REMOVES[verb or ""] or cmd.name == "pacman" and cmd:flag("-R", "-Rs", "-Rns") or cmd.name == "nix-env" and cmd:flag("-e")
        or cmd.name == "apk" and verb == "del") and operand(cmd, "luahook")
    end,
    reason = "This removes {detail}, which watches over this agent.",
    advice = "Leave it; say what it is in the way of.",
    suggestion = "brew list",
    blocked = { "brew uninstall luahook", "sudo apt-get remove -y luahook" },
    passes = { "brew list", "brew uninstall wget", "brew upgrade luahook" },
  },
  {
    id = "self.switch",
    severity = "medium",
    programs = { "claude", "codex", "gemini", "qwen", "copilot", "opencode", "cursor-agent" },
    looks_at = "cmd: options of agents that switch their hooks off",
    when = function(cmd)
      for i, word in ipairs(cmd.args) do
        if re.match(word, [[(?i)disableallhooks|allowmanagedhooksonly|^(--config=|-c)?features\.(codex_)?hooks=false|hooksconfig]])
          or cmd.args[i - 1] == "--disable" and word == "hooks" then
          return word
        end
      end
    end,
    reason = "An agent that is started so runs without its hooks ({detail}).",
    advice = "Start it with them.",
    suggestion = "claude -p 'run the tests'",
    blocked = { [[claude --settings '{"disableAllHooks": true}' -p x]], "codex -c features.hooks=false exec x", "codex --disable hooks" },
    passes = { "claude -p 'run the tests'", "codex exec 'fix it'", "claude --dangerously-skip-permissions -p x" },
  },
} }
