-- Who may do what: accounts, groups, access lists.

-- Groups whose members are as good as root.
local ROOT_GROUPS = [[(^|,)(sudo|wheel|admin|root|docker|lxd|disk|shadow|adm)(,|$)]]

-- Shells with which nobody logs in.
local NO_SHELL = "(^|/)(nologin|false|true|null)$"

-- The same on a Mac.
local MACS = {
  dscl = patterns.later([[(?i)(?:^| )-?(?:delete|passwd) /(?:Local/Default/)?(?:Users|Groups)/|(?:^| )-?(?:append|merge|create) /(?:Local/Default/)?Groups/(?:admin|wheel) ]]),
  dseditgroup = patterns.later([[(?i)-o delete|-o edit .*-a .*\b(?:admin|wheel)$]]),
  sysadminctl = patterns.later([[(?i)(?:^| )-(?:deleteUser|resetPasswordFor|newPassword|admin)\b]]),
}

-- Whether an account has expired with a date: a day of 1970 by its number, or one long ago.
local function expired(date)
  return type(date) == "string" and re.match(date, [[^(\d|19\d\d-.*)$]])
end

local function accounts(cmd)
  local name, operands = cmd.name, cmd:operands()
  if cmd:flag("--help", "--version") or name == "vipw" and cmd:flag("-V", "-h") then
    return nil
  elseif name == "usermod" then
    local groups, login = cmd:flag("-aG", "-G", "--groups"), cmd:flag("-s", "--shell")
    local locks = cmd:flag("-L", "--lock") or expired(cmd:flag("-e", "--expiredate")) or type(login) == "string" and re.match(login, NO_SHELL)
    return (type(groups) == "string" and re.match(groups, ROOT_GROUPS) or locks or cmd:flag("-u", "--uid")) and "usermod"
  elseif name == "chsh" then
    local login = cmd:flag("-s", "--shell")
    return type(login) == "string" and re.match(login, NO_SHELL) and name
  elseif name == "chage" then
    return expired(cmd:flag("-E", "--expiredate")) and name
  elseif name == "gpasswd" or name == "adduser" or name == "addgroup" then
    return re.match(operands[#operands] or "", ROOT_GROUPS) and name
  elseif name == "passwd" then
    return (operands[1] == "root" or cmd:flag("-d", "--delete", "-l", "--lock")) and not cmd:flag("-S", "--status") and name
  elseif name == "visudo" then
    return not cmd:flag("-c", "--check", "-V", "--version", "-h", "--help", "-x", "--export") and name
  elseif MACS[name] then
    return MACS[name]:match(table.concat(cmd.args, " ")) and name
  end
  return (#operands > 0 or name == "chpasswd" or name == "vipw") and name
end

return { class = "permissions", title = "Permissions and ownership", rules = {
  {
    id = "permissions.accounts",
    severity = "medium",
    programs = { "usermod", "chsh", "chage", "gpasswd", "adduser", "addgroup", "passwd", "visudo", "vipw", "userdel", "deluser", "groupdel", "delgroup", "chpasswd", "dscl", "dseditgroup", "sysadminctl" },
    looks_at = "cmd: programs that delete accounts, or make them equal to root",
    when = accounts,
    reason = "{detail} changes who may do what on this machine.",
    advice = "Tell the user what is missing.",
    suggestion = "id",
    blocked = { "sudo usermod -aG docker kim", "sudo userdel -r lee", "passwd root", "adduser kim sudo", "sudo usermod -s /usr/sbin/nologin kim", "sudo dscl . -delete /Users/kim" },
    passes = { "id", "groups kim", "chsh -s /bin/zsh", "passwd --status kim", "usermod --help", "visudo -cf sudoers.new", "visudo --version", "dscl . -read /Users/kim", "sysadminctl -screenLock status" },
  },
  {
    id = "permissions.access-list",
    severity = "medium",
    programs = { "setfacl", "icacls", "cacls", "takeown" },
    looks_at = "cmd: entries for everybody",
    when = function(cmd)
      if cmd.name == "takeown" then
        return cmd.args[1] and re.match(table.concat(cmd.args, " "), [[(?i)(^| )/r( |$)]]) and "takeown /r"
      elseif cmd:flag("--test") then
        return nil
      end
      local entry = cmd.name == "setfacl" and "(^|,)(d(efault)?:)?o(ther)?::?[rxX-]*w" or [=[(?i)(everyone|\*S-1-1-0|users):(\(\w+\))*\(?[FMW]]=]
      for _, word in ipairs(cmd.args) do
        if re.match(word, entry) then
          return word
        end
      end
    end,
    reason = "{detail} lets everybody on this machine change the files.",
    advice = "Name the user who needs it.",
    suggestion = "setfacl -m u:kim:rw notes.txt",
    blocked = { "setfacl -m o::rwx data", "icacls data /grant Everyone:F /T", "cacls data /t /e /g Everyone:F" },
    passes = { "setfacl -m u:kim:rw notes.txt", "setfacl -m o::r data" },
  },
} }
