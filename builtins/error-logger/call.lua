-- Tool calls: which are identical, and which may have changed something.

local call = {}

-- identity returns a hash of a call: the same for the same tool, input and folder. The input is compared as
-- JSON, in which the order of keys doesn't count.
function call.identity(ev)
  local c = ev.tool_call
  local input = c.kind == "shell" and c.command ~= "" and text.trim(c.command) or nil
  if not input then
    local ok, encoded = pcall(json.encode, c.input)
    if not ok then
      return nil -- too large to be compared
    end
    input = encoded
  end
  return hash.sha256(table.concat({ c.name or "", ev.cwd or "", input }, "\0")):sub(1, 20)
end

-- Programs that only read or print, whatever their arguments.
local LOOKING = {}
for name in ([[: [ awk base64 basename cal cat cd cksum cmp col column comm cut date df diff dirname du echo env expr false fd file find fold free
  git grep egrep fgrep rg ag ack head hexdump hostname id jobs join jq less ls lsof man md5sum more nl od paste pgrep popd printenv printf ps pushd pwd
  readlink realpath rev sed seq sha1sum sha256sum sort stat strings tac tail tee test tr tree true tty type uname uniq uptime wc which who whoami xxd yes]]):gmatch("%S+") do
  LOOKING[name] = true
end

-- The subcommands of git that change neither files nor history.
local GIT_LOOKING = {}
for name in ("blame branch cat-file describe diff for-each-ref grep log ls-files ls-remote ls-tree merge-base name-rev reflog remote rev-list rev-parse shortlog show show-ref status tag version whatchanged"):gmatch("%S+") do
  GIT_LOOKING[name] = true
end

local function written(cmd)
  for _, file in ipairs((cmd:files("write", "delete"))) do
    if not file.temporary and not file.path:find("^/dev/") then
      return true
    end
  end
  return false
end

-- looks reports whether a command line only reads: another try of the failed call would find everything
-- unchanged.
local function looks(command, cwd)
  local line = shell.parse(command, { cwd = cwd })
  if line.error or line.too_complex then
    return false
  end
  for i, cmd in ipairs(line.commands) do
    if i > 300 then
      return false
    elseif cmd.name == "git" then
      if not GIT_LOOKING[cmd:subcommand() or ""] then
        return false
      end
    elseif cmd.name and not LOOKING[cmd.name] or cmd.name_dynamic then
      return false
    end
    if written(cmd) then
      return false
    end
  end
  return true
end

-- waits reports whether a call is a shell's that waits for something: it is meant to be run again.
function call.waits(ev)
  if ev.tool_call.kind ~= "shell" then
    return false
  end
  for i, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    if cmd.name == "sleep" or cmd.name == "wait" then
      return true
    elseif i == 300 then
      break
    end
  end
  return false
end

local LOOKING_KINDS = { read = true, search = true, web = true }

-- may_change reports whether a successful call may have changed what made another one fail.
function call.may_change(ev)
  local c = ev.tool_call
  if LOOKING_KINDS[c.kind] then
    return false
  elseif c.kind ~= "shell" then
    return true
  end
  return not looks(c.command, ev.cwd and path.is_abs(ev.cwd) and ev.cwd or nil)
end

return call
