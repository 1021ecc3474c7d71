-- Other agents: by which names they are started, and the options and variables that let them do everything unasked or
-- without their hooks.

local set = rules.set

local agents = {}

-- Packages under whose names npx and the like start them.
local PACKAGES = { ["claude-code"] = "claude", ["gemini-cli"] = "gemini", ["qwen-code"] = "qwen", ["opencode-ai"] = "opencode", ["aider-chat"] = "aider",
  ["kimi-cli"] = "kimi", ["mistral-vibe"] = "vibe", ["iflow-cli"] = "iflow", kilo = "kilocode", q = "kiro-cli", agent = "cursor-agent", interpreter = "open-interpreter" }

-- The options by which agents do everything without asking.
local UNWATCHED = {
  claude = { "--dangerously-skip-permissions", "--allow-dangerously-skip-permissions" },
  codex = { "--dangerously-bypass-approvals-and-sandbox", "--yolo" },
  gemini = { "--yolo", "-y" }, qwen = { "--yolo", "-y" }, iflow = { "--yolo", "-y" }, kimi = { "--yolo", "-y", "--yes", "--auto-approve", "--print" },
  copilot = { "--allow-all-tools", "--allow-all", "--yolo" }, ["cursor-agent"] = { "--force", "-f", "--yolo" }, crush = { "--yolo", "-y" },
  droid = { "--skip-permissions-unsafe" }, aider = { "--yes-always", "--yes" }, opencode = { "--auto", "--dangerously-skip-permissions", "--yolo" },
  amp = { "--dangerously-allow-all" }, ["kiro-cli"] = { "--trust-all-tools", "-a" }, cline = { "--yolo", "-y", "--auto-approve-all" },
  kilocode = { "--auto", "--yolo" }, vibe = { "--auto-approve" }, openhands = { "--always-approve", "--yolo", "--headless" },
  ["open-interpreter"] = { "-y", "--auto_run" }, grok = { "--always-approve", "--yolo" }, gptme = { "-y", "--no-confirm", "--non-interactive", "-n" },
  goose = {}, acli = { "--yolo" }, cn = { "--auto" },
}

-- Values of options that say the same, by the option.
local VALUES = {
  ["--permission-mode"] = set("bypassPermissions"), ["--approval-mode"] = set("yolo"),
  ["--sandbox"] = set("danger-full-access"), ["--auto"] = set("high"),
}

-- Variables that say the same.
local VARIABLES = set("COPILOT_ALLOW_ALL AIDER_YES_ALWAYS OPENCODE_DANGEROUSLY_SKIP_PERMISSIONS OPENCODE_PERMISSION GEMINI_YOLO")

-- The modes of goose in which it asks.
local ASKS = set("approve smart_approve chat")

-- The variables of agents that give them other settings, those with which they start without hooks, and those that all go by.
local SETTINGS = {
  claude = "CLAUDE_CONFIG_DIR CLAUDE_CODE_SIMPLE", codex = "CODEX_HOME", gemini = "GEMINI_CLI_HOME GEMINI_CLI_SYSTEM_SETTINGS_PATH",
  qwen = "QWEN_HOME QWEN_CODE_SYSTEM_SETTINGS_PATH GEMINI_CLI_HOME", copilot = "COPILOT_HOME", opencode = "OPENCODE_CONFIG OPENCODE_CONFIG_DIR OPENCODE_CONFIG_CONTENT OPENCODE_PURE OPENCODE_DISABLE_DEFAULT_PLUGINS",
  ["cursor-agent"] = "CURSOR_CONFIG_DIR", crush = "CRUSH_GLOBAL_CONFIG", amp = "AMP_SETTINGS_FILE", droid = "FACTORY_HOME", ["kiro-cli"] = "KIRO_HOME",
}
local EVERY = { "HOME", "XDG_CONFIG_HOME" }

local EXPORTS = set("export declare typeset")

-- of returns the agent that a command starts.
function agents.of(cmd)
  return PACKAGES[cmd.name] or cmd.name
end

-- variables returns what a command gets for each variable that it is given, by itself or by an export before it.
local function variables(cmd, scene)
  local plain, all = {}, {}
  for _, other in ipairs(scene.commands or {}) do
    if rawequal(other, cmd) then
      break
    elseif EXPORTS[other.name or ""] then
      for _, word in ipairs(other.args) do
        local name, value = word:match("^([%w_]+)=?(.*)$")
        if name then
          all[name] = word:find("=", 1, true) and value or plain[name]
        end
      end
    elseif not other.name then
      for _, assigned in ipairs(other.assignments) do
        plain[assigned.name] = assigned.value
      end
    end
  end
  for name, value in pairs(cmd.env) do
    all[name] = value
  end
  return all
end

-- Where settings lie anyway.
local USUAL = patterns.later([[(^|/)\.(claude|codex|gemini|qwen|copilot|config|factory|kiro)/?$]])

-- other_settings returns the variable that gives an agent other settings than the user's.
function agents.other_settings(cmd, scene)
  local own, given = SETTINGS[agents.of(cmd)], variables(cmd, scene)
  for _, list in ipairs({ own and text.split(own, " ") or {}, EVERY }) do
    for _, name in ipairs(list) do
      if given[name] and not (name ~= "HOME" and USUAL:match(given[name])) then
        return name
      end
    end
  end
end

-- A setting of codex that lets it do everything.
local FREE = patterns.later([[^(--config=|-c)?(sandbox_mode=["']?danger-full-access|approval_policy=["']?never)["']?$]])

local function given_values(cmd)
  for option, wanted in pairs(VALUES) do
    local is = cmd:flag(option)
    if type(is) == "string" and wanted[is] then
      return true
    end
  end
  for i, word in ipairs(cmd.args) do
    local name, joined = word:match("^(%-%-[%w-]+)=(.*)$")
    local before = cmd.args[i - 1] or ""
    if VALUES[before] and VALUES[before][word] or VALUES[name or ""] and VALUES[name][joined] then
      return true
    end
  end
end

-- codex asks nothing with -a never and has the whole machine with -s danger-full-access; exec asks nothing anyway.
local function codex_is_free(cmd)
  for i, word in ipairs(cmd.args) do
    local before = cmd.args[i - 1] or ""
    if before == "-s" and word == "danger-full-access" or word == "-sdanger-full-access" or FREE:match(word) and text.contains(word, "danger") then
      return true
    end
  end
end

-- unwatched reports whether a command starts an agent that does everything unasked.
function agents.unwatched(cmd, scene)
  local name = agents.of(cmd)
  local options = UNWATCHED[name]
  if not options or cmd:flag("--help", "--version") then
    return false
  elseif cmd.name == "agent" and not cmd:flag("-p", "--print") then
    return false -- others have a program of that name
  elseif cmd.name == "q" and cmd:operands()[1] ~= "chat" then
    return false
  elseif name == "goose" then
    return cmd:operands()[1] == "run" and not cmd:flag("-s", "--interactive") and not ASKS[variables(cmd, scene).GOOSE_MODE or ""]
  end
  for variable in pairs(variables(cmd, scene)) do
    if VARIABLES[variable] then
      return true
    end
  end
  if #options > 0 and cmd:flag(unpack(options)) then
    return true
  end
  return given_values(cmd) or name == "codex" and codex_is_free(cmd) or false
end

return agents
