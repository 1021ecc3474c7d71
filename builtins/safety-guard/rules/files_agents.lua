-- Files that decide what agents may do, and what is run instead of what the user means: agents' servers and
-- approvals, folders of the user's own programs, and a project's checks before a commit.

local keyfiles = require("keyfiles")
local set = rules.set
local writers = require("later")("writers")

-- Where agents have the servers that they start, and what they have been allowed, besides their hooks (see hookfiles.lua).
local SERVERS = patterns.later([[(?i)(^|/)(\.mcp\.json|\.(cursor|vscode|roo|amazonq|kilocode|zed|junie|trae)/(mcp|cli|cli-config|permissions)\.json|\.kiro/settings/mcp\.json|\.codeium/windsurf/mcp_config\.json|claude_desktop_config\.json|cline_mcp_settings\.json)$|^(~|/root|/home/[^/]+|/Users/[^/]+)/\.claude\.json$]])

-- Settings of editors, in which what agents may do without asking is one among many.
local EDITORS = patterns.later([[(?i)(^|/)(\.vscode/settings\.json|code( - insiders)?/user/settings\.json|cursor/user/settings\.json|[^/]+\.code-workspace)$]])
local APPROVALS = patterns.later([[(?i)chat\.tools\.[\w.]*autoapprove|chat\.agent\.[\w.]*autoapprove|autoapprov|\byolo\b|allowdangerouslyskippermissions|security\.workspace\.trust|task\.allowautomatictasks|chat\.mcp\.(access|autostart)]])

-- Programs that every machine has, so that nobody installs them for himself.
local EVERYDAY = set("git ssh scp sudo su doas ls cat rm cp mv ln chmod bash sh zsh env curl wget gpg sed grep awk find ps kill tar make passwd login")

local PROGRAMS = patterns.later([[^(?:~|/root|/home/[^/]+|/Users/[^/]+)/(?:\.local/bin|bin)/([^/]+)$]])

local CHECKS = patterns.later([[(^|/)(\.husky(/(?:_/?)?[^/]*)?|\.git/hooks(/[^/]*)?)$]])

-- What is written, as far as the call says it: the text of a tool's call; of a command its words and its input.
local function text_of(file)
  local cmd = file.cmd
  if not cmd then
    return rawget(file, "text")
  end
  return table.concat(cmd.args, " ") .. "\n" .. (cmd.input and cmd.input.text or "")
end

-- Most paths can't be any of these.
local HINT = patterns.later([[(?i)(^|/)(\.(mcp\.json|cursor|vscode|roo|amazonq|kilocode|zed|junie|trae|kiro|codeium|claude\.json|local|husky|git/hooks)|bin/|claude_|cline_)|\.code-workspace$|/user/settings\.json$]])

local function gate(file)
  return file.access ~= "read" and keyfiles.may_be(file, HINT)
end

local function changed(file, pattern)
  for _, target in ipairs(file.access == "write" and keyfiles.written(file) or { file.path }) do
    if pattern:match(target) then
      return target
    end
  end
end

local function is_temp(file, scene)
  return scene:place(file) == "temp"
end

-- Lines of a script that check nothing.
local NOTHING = patterns.later([[^\s*(#.*|exit( 0)?;?|true|:|return 0|\.\s+.*husky\.sh.*|echo\b.*)?\s*$]])
local PRINTS = { echo = true, printf = true }

local function checks_nothing(file)
  local cmd, body = file.cmd, rawget(file, "text")
  if cmd then
    if not cmd.name then
      for _, redirect in ipairs(cmd.redirects) do
        if redirect.op:sub(1, 1) == ">" then
          return not cmd.input or not cmd.input.dynamic and text.trim(cmd.input.text) == "" -- it is emptied
        end
      end
      return false
    elseif cmd.name == "chmod" then
      return re.match(cmd.args[1] or "", [[^([augo]*-[rw]*x|0?[0-7]*[0246][0-7]{2}|0?[0246]{3})$]])
    elseif PRINTS[cmd.name] then
      body = table.concat(cmd.args, " ")
    elseif cmd.name == "cat" or cmd.name == "tee" then
      body = cmd.input and not cmd.input.dynamic and cmd.input.text
    end
  end
  if not body or body == "" and not cmd then
    return body == ""
  end
  for _, line in ipairs(text.lines((body:gsub("\\n", "\n")))) do
    if not NOTHING:match(line) then
      return false
    end
  end
  return true
end

local MODES = { chmod = true, chown = true, touch = true, mkdir = true }

return { class = "files", title = "Files that matter", rules = {
  {
    id = "files.agent-servers",
    severity = "medium",
    on = "file",
    gate = gate,
    looks_at = "files that are written or deleted, by any tool: the servers and permissions of agents",
    when = function(file, scene)
      if file.dynamic or file.cmd and MODES[file.cmd.name] or is_temp(file, scene) then
        return nil
      end
      return changed(file, SERVERS)
    end,
    reason = "{detail} says which programs an agent starts, and what it may do without asking.",
    advice = "Show the user the change, and let him make it.",
    suggestion = "cat .mcp.json",
    blocked = { "echo '{}' > .mcp.json", "jq '.x=1' a.json > ~/.claude.json", "cp mcp.json ~/.cursor/mcp.json", "mv x.json .mcp.json" },
    passes = { "cat ~/.claude.json", "jq .mcpServers .mcp.json", "cp .mcp.json /tmp/x.json", "echo '{}' > mcp.json" },
  },
  {
    id = "files.agent-approval",
    severity = "medium",
    on = "file",
    gate = gate,
    looks_at = "what is written into the settings of an editor, by any tool: what agents may do without asking",
    when = function(file)
      local target = file.access == "write" and not file.dynamic and changed(file, EDITORS)
      local text = target and text_of(file)
      return text and APPROVALS:match(text) and target or nil
    end,
    reason = "This lets an agent go on without asking ({detail}).",
    advice = "Show the user the setting, and let him make it.",
    suggestion = "cat .vscode/settings.json",
    blocked = { [[echo '{"chat.tools.autoApprove": true}' > .vscode/settings.json]], [[sed -i 's/{/{"chat.tools.terminal.autoApprove": {"rm": true},/' .vscode/settings.json]], "cat > .vscode/settings.json <<'EOF'\n{\"chat.tools.autoApprove\": true}\nEOF" },
    passes = { [[echo '{"editor.tabSize": 2}' > .vscode/settings.json]], "grep autoApprove .vscode/settings.json", "sed -i s/2/4/ .vscode/settings.json" },
  },
  {
    id = "files.programs",
    severity = "medium",
    on = "file",
    gate = gate,
    looks_at = "files that are written, by any tool: the user's folders of programs; of commands only what takes the name of an everyday program",
    when = function(file)
      if file.access ~= "write" or file.dynamic or file.cmd and MODES[file.cmd.name] then
        return nil
      end
      local target = changed(file, PROGRAMS)
      return target and (not file.cmd or EVERYDAY[path.base(target)]) and target or nil
    end,
    reason = "{detail} is run by its name from now on, in every folder.",
    advice = "Keep it in the project, and let the user install it.",
    suggestion = "cp tool bin/",
    blocked = { "cp wrapper.sh ~/.local/bin/git", "cat > ~/bin/ls < x", "ln -sf $PWD/x ~/.local/bin/ssh" },
    passes = { "cp target/release/shop ~/.local/bin/", "curl -Lo ~/.local/bin/shop https://shop.example/shop", "chmod +x ~/.local/bin/shop", "cp tool bin/git", "ln -s /usr/bin/batcat ~/.local/bin/bat", "mv kubectl ~/.local/bin/kubectl" },
  },
  {
    id = "files.by-program",
    severity = "medium",
    programs = { "vim", "nvim", "vi", "view", "gvim", "mvim", "ex", "ed", "red", "emacs", "emacsclient", "tar", "gtar", "bsdtar", "unzip", "script",
  "dprint", "taplo", "ruff", "deno", "terraform", "tofu", "zig", "dart", "mix", "gleam", "buf", "packer", "cue", "ouch", "unrar", "ar", "augtool", "json", "dasel", "sops", "screen",
  "minisign", "git archive", "git format-patch", "git checkout-index", "git read-tree",
  "git config", "git bundle" },
    only = { module = { "python", "python3" } },
    looks_at = "cmd.args, cmd.input: files that give access, start by themselves or belong to the machine, which a program is told to write by a verb, a script for an editor, as members of an archive or by an option of git",
    when = function(cmd, scene)
      for _, name in ipairs(writers.of(cmd)) do
        local target = name:sub(1, 1) ~= "~" and cmd.dir and not path.is_abs(name) and path.join(cmd.dir, name) or path.clean(name)
        if keyfiles.kind({ path = target, access = "write", dynamic = false, glob = false, redirected = true }, scene) then
          return name
        end
      end
    end,
    reason = "{detail} gives access, starts by itself, or belongs to the machine.",
    advice = "Show the user the change, and let him make it.",
    suggestion = "cat ~/.bashrc",
    blocked = { "git config --file ~/.bashrc a.b c", "vim -es -c 'w! ~/.ssh/authorized_keys' -c q notes.txt", "unzip -o x.zip .ssh/authorized_keys -d ~" },
    passes = { "git config --file .gitmodules a.b c", "vim -es -c 'w! out.txt' -c q notes.txt", "tar xzf x.tgz src/main.go" },
  },
  {
    id = "files.checks",
    severity = "medium",
    on = "file",
    gate = gate,
    looks_at = "files that are deleted, emptied or replaced by what checks nothing, by any tool: .husky",
    when = function(file, scene)
      if file.dynamic or is_temp(file, scene) or not CHECKS:match(file.path) or path.base(file.path) == ".gitignore" then
        return nil
      end
      if file.path:find(".git/", 1, true) then -- other rules are about its content
        return file.cmd and file.cmd.name == "chmod" and checks_nothing(file) and file.path or nil
      end
      return (file.access == "delete" or path.base(file.path) ~= ".husky" and checks_nothing(file)) and file.path or nil
    end,
    reason = "{detail} has the project's own checks, which every commit goes through.",
    advice = "Mend what they complain about, or ask the user.",
    suggestion = "cat .husky/pre-commit",
    blocked = { "rm -rf .husky", "rm .husky/pre-commit", "echo 'exit 0' > .husky/pre-commit", "> .husky/pre-commit", "chmod -x .husky/pre-commit", "chmod -x .git/hooks/*", "mv .husky /tmp/h" },
    passes = { "echo 'npx lint-staged' > .husky/pre-commit", "cat .husky/pre-commit", "chmod +x .husky/pre-commit", "mkdir -p .husky" },
  },
} }
