-- The files of the guard: hooks, luahook's configuration and state, and the settings by which agents run hooks.
-- These rules can't be switched off, either.

local keyfiles = require("keyfiles")
local names = require("names")
local rebuilt = require("later")("rebuilt")
local texts = require("later")("texts")
local writers = require("later")("writers")

-- The places of hooks, and of luahook's state.
local HOOKS = patterns.later([[(?i)(^|/)(\.hooks(/.*)?|(\.config|\.local/state|\.local/share|etc|application support|appdata/[^/]+|\$\{?xdg_(config|state|data)_home\b[^/]*)/luahook(/.*)?)$]])

-- The places where agents register their hooks. A * stands for everything in a folder.
local SETTINGS = patterns.later([[(?i)(^|/)(\.claude/(settings[^/]*\.json|hooks(/.*)?|\*)|\.codex/(config\.toml|requirements\.toml|hooks\.json|hooks(/.*)?|\*)|]] ..
  [[\.(gemini|qwen)/(settings\.json|hooks(/.*)?|\*)|\.cursor/(hooks\.json|hooks(/.*)?|\*)|\.github/hooks(/.*)?|\.copilot/(hooks(/.*)?|config\.json|settings\.json|\*)|]] ..
  [[(\.windsurf|\.codeium/windsurf)/(hooks\.json|hooks(/.*)?|\*)|(\.opencode|\.config/opencode)/(plugins?(/.*)?|opencode\.jsonc?|config\.json|\*)|opencode\.jsonc?|]] ..
  [[\.kiro/(hooks(/.*)?|agents/.*|\*)|\.factory/(hooks\.json|settings[^/]*\.json|hooks(/.*)?|\*)|\.?crush\.json|(\.amp|\.config/amp)/(plugins(/.*)?|settings\.json)|]] ..
  [[\.clinerules/hooks(/.*)?|cline/hooks(/.*)?|\.augment/(settings\.json|hooks(/.*)?)|\.continue/(config\.[a-z]+|hooks(/.*)?)|]] ..
  [[etc/(claude-code|codex)/.*|application support/claudecode/.*)$]])

-- Folders with such settings: deleting or moving one includes them.
local FOLDERS = patterns.later([[(?i)(^|/)\.(claude|codex|gemini|qwen|cursor|copilot|windsurf|opencode|kiro|factory|amp|clinerules|augment|continue)$]])

local PROGRAM = patterns.later([[(?i)(^|/)s?bin/luahook(\.exe)?$]])

-- Most paths can't be any of these, nor luahook itself: no name in them begins with a dot, and none is one of these
-- words.
local HINT = patterns.later([[(?i)(^|/)(\.|luahook|opencode|crush|etc/|claude|cline)|luahook|claudecode]])

local function matches(pattern, target)
  return HINT:match(target) and pattern:match(target)
end

local OWN = {}
for _, folder in ipairs({ host.config or "", host.state or "", host.managed or "" }) do
  if folder ~= "" then
    OWN[#OWN + 1] = folder
  end
end

local function in_hooks(target)
  if matches(HOOKS, target) then
    return true
  elseif not path.is_abs(target) then
    return false
  end
  for _, folder in ipairs(OWN) do
    if path.inside(folder, target) then
      return true
    end
  end
  return false
end

-- Programs that change who may open a file count, too: a hook that can't be opened isn't run.
local OPENS = { chmod = true, chown = true, chgrp = true, setfacl = true, chattr = true, chflags = true }

-- Whether a path is one of hooks, or says which are run.
local function of_hooks(target)
  return in_hooks(target) or matches(SETTINGS, target)
end

local function gate(file)
  return file.access == "delete" or keyfiles.may_be(file, HINT)
end

local function each_changed(file, test)
  if file.dynamic or file.cmd and OPENS[file.cmd.name] then
    return not file.temporary and test(file.path) and file.path or nil
  end
  for _, target in ipairs(keyfiles.written(file)) do
    if test(target) then
      return target
    end
  end
end

-- The files among these that a patch on git's input changes.
local PATCHED = patterns.later([[(?m)^(?:---|\+\+\+|rename to) "?(?:[abciow]/)?([^"\t\r\n]+)]])

-- What may stand before a path that is given to git: ":(glob)", ":/". Git has patterns of its own.
local MAGIC = patterns.later([[^:(\([a-z,]*\)|/)]])

local function patched_in(body)
  for line in body:gmatch("[^\n]+") do
    local found = PATCHED:captures(line)
    local target = found and path.clean(found[1])
    if target and of_hooks(target) then
      return target
    end
  end
end

-- What git prints of such files as a patch, which another command applies.
local PRINTS = rules.set("diff show log format-patch diff-tree diff-index diff-files stash")

local function printed_of(writer)
  local git = writer.name == "git" and writer.git
  if not git or not PRINTS[git.subcommand or ""] then
    return nil
  end
  for _, list in ipairs({ git.paths, git.operands }) do
    for _, name in ipairs(list) do
      local plain = MAGIC:replace(name, "")
      for _, target in ipairs({ plain, unpack(names.meant(plain)) }) do
        target = path.clean(target)
        if of_hooks(target) or matches(FOLDERS, target) then
          return target
        end
      end
    end
  end
end

local LOOKS = { "--check", "--stat", "--numstat", "--summary", "--cached", "--dry-run" }

-- patched returns the file of hooks that a patch changes: one on the input, or in a file that the line has written.
local function patched(cmd, scene)
  local input, found = cmd.input, nil
  if cmd:flag(unpack(LOOKS)) then
    return nil
  end
  found = input and cmd.name ~= "patch" and patched_in(input.text or "") -- of patch self.hooks sees the files
  for _, writer in ipairs(not found and input and input.from or {}) do
    found = found or printed_of(writer)
  end
  if found or #(scene.commands or {}) < 2 then
    return found
  end
  local names = { unpack(cmd:operands()) }
  for _, option in ipairs(cmd.name == "patch" and { "-i", "--input" } or {}) do
    local name = cmd:flag(option)
    names[#names + 1] = type(name) == "string" and name or nil
  end
  for _, name in ipairs(names) do
    for _, body in ipairs(texts.of(cmd, name, scene)) do
      found = found or patched_in(body)
    end
  end
  return found
end

-- A sparse checkout leaves out all folders but those that are named, and so the project's hooks.
local KEEPS_HOOKS = patterns.later([[^(\./|/)?(\.hooks(/.*)?|\*+|\.|\.\*|/)?$]])

local function leaves_out(cmd, scene)
  local git = cmd.git
  local verb = git.operands[1]
  if verb ~= "set" and verb ~= "init" or verb == "init" and (cmd:flag("--no-cone") or #git.operands > 1) then
    return nil
  end
  for _, other in ipairs(scene.commands or {}) do
    if other.git and other.git.subcommand == "clone" then
      return nil -- its hooks are not yet those of this project
    end
  end
  local works = cmd:git_folders()
  local folder = works and not works.dynamic and works.path or scene.cwd
  if #host.hooks == 0 and not (folder and path.is_abs(folder) and host.exists(path.join(folder, ".hooks"))) then
    return nil -- there are none
  end
  local kept = false
  for _, list in ipairs({ git.operands, git.paths }) do
    for i, word in ipairs(list) do
      if word:sub(1, 1) == "!" and of_hooks(path.clean(word:sub(2):gsub("^/", ""))) then
        return ".hooks"
      end
      kept = kept or (list ~= git.operands or i > 1) and KEEPS_HOOKS:match(word)
    end
  end
  return not kept and not cmd:flag("--stdin") and ".hooks" or nil
end

-- The folders by which the project's hooks are found: the hook folder itself, and the repository whose top is
-- the project's root.
local FINDS = {}
for i, folder in ipairs(host.hooks) do
  FINDS[#FINDS + 1] = folder
  FINDS[#FINDS + 1] = path.join(host.rooted[i], ".git")
  FINDS[#FINDS + 1] = path.join(host.rooted[i], ".git/HEAD")
end

-- finds reports whether a path is one of these, or is deleted or moved with one in it.
local function finds(target, taken)
  for _, found in ipairs(path.is_abs(target) and FINDS or {}) do
    if target == found or taken and path.inside(target, found) then
      return true
    end
  end
end

-- Whether one of these is deleted or moved with a file: of a folder that is searched only what is found there.
local function takes(file)
  local reach = file.reach
  if not reach or #reach < 2 or reach[#reach]:sub(-1) == "/" then
    local empty = file.cmd and file.cmd.name == "find" and table.concat(file.cmd.args, " "):find("-empty", 1, true)
    return not empty and finds(file.path, true)
  end
  for _, pattern in ipairs(reach) do
    for _, found in ipairs(FINDS) do
      if path.match(pattern, found) then
        return true
      end
    end
  end
end

-- Whether a file is a folder in which find only deletes what is made again wherever it is, such as .DS_Store.
local function only_made_again(file)
  local reach = file.cmd and file.reach
  for i, pattern in ipairs(reach or {}) do
    if i > 1 and not rebuilt.sure(path.base(pattern)) then
      return false
    end
  end
  return reach and #reach > 1 or false
end

-- The path of a command as it is from the root on, if it's known where the command runs.
local function full(cmd, target)
  return cmd.dir and not path.is_abs(target) and path.join(cmd.dir, target) or target
end

-- A .git that is written by hand, within a project that has hooks: git makes its own.
local MADE = patterns.later([[(^|/)\.git(/HEAD)?$]])

local function makes_repository(target)
  if MADE:match(target) and path.is_abs(target) then
    for _, root in ipairs(host.rooted) do
      if path.inside(root, target) then
        return true
      end
    end
  end
end

-- Programs that change files which another one finds.
local CHANGES = {}
for _, name in ipairs({ "rm", "mv", "sed", "shred", "truncate", "chmod", "chown", "unlink", "perl", "tee", "sh", "bash", "cp", "dd", "python3", "rmdir" }) do
  CHANGES[name] = true
end

-- A path in a folder for temporary files is not yet a hook.
local function in_temp(target, scene)
  return path.is_abs(target) and scene:where({ path = target, dynamic = false, glob = false }) == "temp"
end

return { class = "self", title = "The guard itself", rules = {
  {
    id = "self.hooks",
    severity = "medium",
    on = "file",
    gate = gate,
    looks_at = "files that are written, moved or deleted, by any tool: hook folders, luahook's configuration and state",
    when = function(file, scene)
      local found = each_changed(file, in_hooks) or nil
      if found or file.access ~= "delete" or file.dynamic then
        return found
      elseif file.cmd and not file.redirected and file.cmd.name == "mv" and scene.cwd and not file.cmd.remote and path.is_abs(file.path) and path.inside(file.path, scene.cwd) then
        return file.path -- the working folder, with its hooks
      elseif only_made_again(file) then
        return nil
      end
      for _, folder in ipairs(OWN) do -- a folder above, in the home folder
        if host.home and path.is_abs(file.path) and path.inside(host.home, file.path) and path.inside(file.path, folder) then
          return folder
        end
      end
    end,
    reason = "{detail} belongs to the hooks that watch over this agent.",
    advice = "Show the user the change, and let him make it.",
    suggestion = "ls .hooks",
    blocked = { "rm -rf .hooks", "mv .hooks old", "echo 'x' > .hooks/a.lua", "sed -i s/deny/allow/ ~/.config/luahook/hooks.yaml", "chmod 000 .hooks/guard.lua", "cp a.lua .hooks/", "rm -rf .h*",
      "for f in .hooks/*; do rm \"$f\"; done", "rm \"$XDG_STATE_HOME\"/luahook/store.db" },
    passes = { "cat .hooks/hooks.yaml", "ls .hooks", "cp .hooks/a.lua /tmp/a.lua", "git add .hooks", "mkdir -p .hooks" },
  },
  {
    id = "self.hooks-by-git",
    severity = "medium",
    programs = { "patch", "git sparse-checkout", "git apply", "git am", "git pull", "git reset", "git checkout", "git switch", "git restore", "git rm", "git mv", "git clean", "git merge",
      "git rebase", "git stash", "git clone" },
    looks_at = "cmd.git: rm, mv, checkout and restore of hook folders and agents' settings; patches of them; a sparse checkout without .hooks",
    when = function(cmd, scene)
      local git = cmd.git
      if cmd.name == "patch" or git and (git.subcommand == "apply" or git.subcommand == "am") then
        return not (git and git.dry_run) and patched(cmd, scene)
      elseif git and git.subcommand == "sparse-checkout" then
        return leaves_out(cmd, scene)
      elseif git and in_hooks(git.dir or "") and re.match(git.subcommand or "", "^(pull|reset|checkout|switch|restore|rm|mv|clean|apply|merge|rebase|stash)$") then
        return git.dir
      elseif git and git.subcommand == "clone" then
        local operands = cmd:operands()
        local target = operands[#operands]
        return #operands > 2 and in_hooks(path.clean(target)) and target
      elseif not git or git.dry_run or not re.match(git.subcommand or "", "^(rm|mv|checkout|restore|clean|stash)$") or git.subcommand == "stash" and re.match(git.operands[1] or "", "^(list|show|apply|pop|drop|branch)$") or git.subcommand == "rm" and cmd:flag("--cached") then
        return nil
      end
      for _, list in ipairs({ git.paths, git.operands }) do
        for _, name in ipairs(list) do
          for _, target in ipairs({ name, unpack(names.meant(MAGIC:replace(name, ""))) }) do
            target = path.clean(target)
            if of_hooks(target) or matches(FOLDERS, target) and git.subcommand ~= "checkout" then
              return target
            end
          end
        end
      end
    end,
    reason = "{detail} belongs to the hooks that watch over this agent.",
    advice = "Leave it out, and tell the user.",
    suggestion = "git log -- .hooks",
    blocked = { "git rm -r .hooks", "git mv .claude/settings.json old", "git clone https://shop.example/x .hooks",
      "git show HEAD -- .hooks | git apply -R", "printf '+++ b/.hooks/a.lua\\n' > p; git apply p" },
    passes = { "git log -- .hooks", "git diff .hooks", "git add .hooks .claude", "git rm --cached .claude/settings.local.json" },
  },
  {
    id = "self.hooks-found",
    severity = "medium",
    programs = { "find", "xargs" },
    looks_at = "cmd, cmd.input: find, and what xargs reads, in hook folders, with a program that changes what is found",
    when = function(cmd)
      local changes = false
      for i, word in ipairs(cmd.args) do
        local ran = cmd.args[i - 1] or ""
        changes = changes or CHANGES[path.base(word)] and (cmd.name == "xargs" or re.match(ran, "^-(exec|execdir|ok|okdir)$"))
      end
      local finders = cmd.name == "xargs" and (cmd.input and cmd.input.from or {}) or { cmd }
      for _, finder in ipairs(changes and finders or {}) do
        for _, start in ipairs(finder:operands()) do
          local target = path.clean(start)
          if finds(full(cmd, target)) or of_hooks(target) or matches(FOLDERS, target) then
            return target
          end
        end
      end
    end,
    reason = "{detail} belongs to the hooks that watch over this agent.",
    advice = "Only list what is in it.",
    suggestion = "find .hooks -name '*.lua'",
    blocked = { "find .hooks -type f -exec rm {} +", "find .claude -name '*.json' -exec sed -i s/a/b/ {} \\;",
      "grep -rl deny .claude | xargs sed -i s/a/b/" },
    passes = { "find .hooks -type f -exec cat {} +", "find src -name '*.o' -exec rm {} +" },
  },
  {
    id = "self.hooks-otherwise",
    severity = "medium",
    programs = { "ln", "mount", "vim", "nvim", "vi", "ex", "ed", "emacs", "gio", "umount" },
    looks_at = "cmd:operands(): hook folders and agents' settings that get another name, are covered, or are handed to an editor with a script",
    when = function(cmd)
      local operands = cmd:operands()
      if cmd.name == "gio" and operands[1] ~= "trash" and operands[1] ~= "remove" and operands[1] ~= "move" then
        return nil
      end
      for i, word in ipairs(operands) do
        local target = path.clean(word)
        if cmd.name == "ln" and i > 1 and i == #operands then
          return nil -- the rules on files judge writes
        elseif of_hooks(target) or cmd.name ~= "ln" and (matches(FOLDERS, target) or finds(full(cmd, target))) then
          return target
        end
      end
    end,
    reason = "{detail} belongs to the hooks that watch over this agent, and could be changed under another name or unseen.",
    advice = "Show the user the change, and let him make it.",
    suggestion = "ls .hooks",
    blocked = { "ln -s .hooks h", "ln .hooks/hooks.yaml h.yaml", "sudo mount --bind /tmp/empty .hooks", "vim -es -c '%d' -c wq .claude/settings.json" },
    passes = { "ln -s ../lib lib", "ln -s ../AGENTS.md CLAUDE.md", "vim -es -c '%d' -c wq notes.txt", "gio open .hooks" },
  },
  {
    id = "self.hooks-by-program",
    severity = "medium",
    programs = { "vim", "nvim", "vi", "view", "gvim", "mvim", "ex", "ed", "red", "emacs", "emacsclient", "tar", "gtar", "bsdtar", "unzip", "script",
  "dprint", "taplo", "ruff", "deno", "terraform", "tofu", "zig", "dart", "mix", "gleam", "buf", "packer", "cue", "ouch", "unrar", "ar", "augtool", "json", "dasel", "sops", "screen",
  "minisign", "git archive", "git format-patch", "git checkout-index", "git read-tree",
  "git config", "git bundle" },
    only = { module = { "python", "python3" } },
    looks_at = "cmd.args, cmd.input: hook folders and agents' settings that a program is told to write by a verb, by a script for an editor, as members of an archive or by an option of git",
    when = function(cmd, scene)
      for _, name in ipairs(writers.of(cmd)) do
        for _, target in ipairs({ name, unpack(name:find("[*?%[]") and names.meant(name) or {}) }) do
          target = path.clean(target)
          if (of_hooks(target) or matches(FOLDERS, target) or matches(PROGRAM, target)) and not in_temp(target, scene) then
            return target
          end
        end
      end
    end,
    reason = "{detail} belongs to the hooks that watch over this agent.",
    advice = "Show the user the change, and let him make it.",
    suggestion = "ls .hooks",
    blocked = { "vim -es -c 'w! .hooks/a.lua' -c q README.md", "emacs --batch --eval '(write-region \"\" nil \".hooks/a.lua\")'", "tar xf x.tar ./.hooks/a.lua", "unzip -o x.zip .claude/settings.json",
      "git config --file .hooks/a.lua a.b c", "git archive -o .hooks/a.tar HEAD", "python3 -m zipfile -e x.zip .hooks", "dprint fmt .claude/settings.json" },
    passes = { "tar tf x.tar .hooks", "unzip -l x.zip .claude/settings.json", "git config --file .hooks/a.lua --get a.b", "dprint check .claude/settings.json", "vim -es -c 'w! notes.txt' -c q README.md",
      "python3 -m zipfile -l x.zip" },
  },
  {
    id = "self.project",
    severity = "medium",
    on = "file",
    tool = true,
    gate = function()
      return #FINDS > 0
    end,
    looks_at = "files that are written, moved or deleted, by any tool: .git and .git/HEAD of a project that has hooks, which they are found by, and the folders that these or its .hooks lie in",
    when = function(file)
      if file.access == "read" or file.dynamic or file.cmd and file.cmd.git then
        return nil -- git leaves its own folder alone
      elseif file.access == "delete" then
        return takes(file) and file.path
      elseif file.cmd and OPENS[file.cmd.name] then
        return finds(file.path) and file.path
      end
      for _, target in ipairs(keyfiles.written(file)) do
        if finds(target) or makes_repository(target) then
          return target
        end
      end
    end,
    reason = "By {detail} luahook finds the project's hooks, which watch over this agent.",
    advice = "Leave it; make another repository with git init or git clone.",
    suggestion = "git status",
    blocked = { "in a project with hooks: mv .git old", "in a project with hooks: rm .git/HEAD", "in a project with hooks: a write of sub/.git" },
    passes = { "git init sub", "git clone https://shop.example/x vendor/x", "cat .git/HEAD", "rm vendor/notes.txt", "rm -r build" },
  },
  {
    id = "self.settings",
    severity = "medium",
    on = "file",
    gate = gate,
    looks_at = "files that are written, moved or deleted, by any tool: agents' settings, in which hooks are registered",
    when = function(file, scene)
      local found = each_changed(file, function(target)
        return matches(SETTINGS, target) or file.access == "delete" and matches(FOLDERS, target)
      end)
      if found or file.dynamic or file.access ~= "write" then
        return found
      end
      local targets = keyfiles.written(file)
      for i = 2, #targets do
        if matches(FOLDERS, targets[i]) and not matches(FOLDERS, targets[1]) and scene:where({ path = targets[i], dynamic = false, glob = false }) ~= "temp" then
          return targets[i] -- a whole folder is copied
        end
      end
    end,
    reason = "{detail} says which hooks an agent runs.",
    advice = "Show the user the change, and let him make it.",
    suggestion = "cat .claude/settings.json",
    blocked = { "echo '{}' > .claude/settings.json", "rm -rf .claude", "sed -i s/hooks/x/ ~/.codex/config.toml", "cp x.json ~/.cursor/hooks.json", "mv ~/.claude ~/.claude-old",
      "cp -r ../other/.claude ." },
    passes = { "cat ~/.claude/settings.json", "jq .hooks .claude/settings.json", "echo x > .claude/notes.md", "mkdir -p .claude/agents", "cp review.md .claude/commands/" },
  },
  {
    id = "self.program",
    severity = "medium",
    on = "file",
    gate = gate,
    looks_at = "files that are written or deleted: the program luahook in a folder of programs",
    when = function(file)
      return each_changed(file, function(target)
        return matches(PROGRAM, target)
      end)
    end,
    reason = "{detail} watches over this agent.",
    advice = "Leave it; build into another folder.",
    suggestion = "go build -o /tmp/luahook-new ./cmd/luahook",
    blocked = { "rm ~/go/bin/luahook", "chmod -x ~/.local/bin/luahook", "mv ~/bin/luahook ~/bin/luahook.off" },
    passes = { "ls -l ~/go/bin/luahook", "go build -o luahook ./cmd/luahook", "go install ./cmd/luahook" },
  },
} }
