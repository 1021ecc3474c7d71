-- What Windows keeps for the day when something goes wrong, and what guards it: shadow copies, the registry, logs,
-- its start, services, accounts of a domain, virtual machines.

local function line_of(cmd)
  return table.concat(cmd.args, " "):lower()
end

-- A test: the arguments, in small letters, match one of the patterns of the program.
local function says(patterns_of)
  local compiled = {}
  return function(cmd)
    local name = cmd.name
    local list = patterns_of[name]
    if not list or cmd:flag("-WhatIf") then
      return nil
    end
    compiled[name] = compiled[name] or re.compile(list)
    local line = line_of(cmd)
    return not re.match(line, [[(^| )/\?]]) and compiled[name]:match(line) and name or nil
  end
end

-- A test: the cmdlet itself is what the rule is about.
local function cmdlet(cmd)
  return not cmd:flag("-WhatIf") and cmd.name or nil
end

local deletes_copies = says({
  vssadmin = [[^delete +shadows|^resize +shadowstorage]], wmic = [[shadowcopy.*\bdelete\b|^.*\bproduct\b.*call +uninstall.*/nointeractive.*\*]],
  wbadmin = [[^(delete|disable)\b]], diskshadow = [[delete +shadows]], ["Disable-ComputerRestore"] = "",
})

-- The keys of the registry that the machine needs, as a whole or with all that is below.
local VITAL = patterns.later([[(?i)^(hklm|hkey_local_machine|hkcr|hkey_classes_root|hku|hkey_users|hkey_current_config)(\\|:|$)]])
local OWN = patterns.later([[(?i)^(hkcu|hkey_current_user):?(\\[^\\]+){0,2}$]])
local STARTS = patterns.later([[(?i)\\currentversion\\(run|runonce|policies|winlogon|image file execution options)(\\|$)|\\policies\\|\\windows defender|\\control\\lsa|\\services\\]])

local function flag(cmd, name)
  for i, word in ipairs(cmd.args) do
    if word:lower() == name then
      return cmd.args[i + 1] or true
    end
  end
end

local function registry(cmd)
  local verb, key = (cmd.args[1] or ""):lower(), cmd.args[2] or ""
  if verb ~= "delete" then
    return nil
  elseif VITAL:match(key) then
    return key
  elseif flag(cmd, "/va") or flag(cmd, "/v") == "*" then
    return STARTS:match(key) and key
  end
  return not flag(cmd, "/v") and OWN:match(key) and key or nil
end

local function registry_set(cmd)
  local verb, key = (cmd.args[1] or ""):lower(), cmd.args[2] or ""
  if verb == "import" or verb == "restore" or verb == "load" then
    return nil
  end
  return verb == "add" and STARTS:match(key) and #cmd.args > 2 and key or nil
end

local EVERYTHING = patterns.later([[^[*'"]*\*['"]*$]])

local function tasks(cmd)
  if cmd.name == "schtasks" then
    local line = line_of(cmd)
    return re.match(line, [[(^| )/delete( |$)]]) and re.match(line, [[/tn +"?(\*|\\?microsoft)]]) and "every task" or nil
  end
  local name = cmd:flag("-TaskName")
  if type(name) ~= "string" then
    name = cmd:operands()[1]
  end
  return not cmd:flag("-WhatIf") and (not name or EVERYTHING:match(name)) and "every task" or nil
end

-- Services that guard the machine.
local GUARDS = [[(sshd|termservice|winrm|dhcp|dnscache|rpcss|samss|lanmanserver|windefend|wdnissvc|sense|mpssvc|eventlog|wscsvc|vss|wuauserv|bfe|sysmon|mdcoresvc|securityhealthservice|wdfilter)]]

-- What a cmdlet is about: its own arguments, and those of what stands before it in the pipeline; nil where a listing
-- there leaves nothing out.
local LISTS = { ["Stop-Service"] = "Get-Service", ["Set-Service"] = "Get-Service", ["Remove-NetFirewallRule"] = "Get-NetFirewallRule", ["Disable-NetFirewallRule"] = "Get-NetFirewallRule" }
local SELECTS = rules.set("Where-Object Select-Object Out-GridView")
local function piped(cmd, scene)
  local line, all, selected = line_of(cmd), false, false
  for _, other in ipairs(cmd.pipe and scene:pipeline(cmd) or {}) do
    if other.name == LISTS[cmd.name] then
      all = all or not re.match(line_of(other), [=[(^| )[*?'"]*[a-z0-9{]]=])
      line = line .. " " .. line_of(other)
    elseif SELECTS[other.name or ""] then
      selected = true
      line = line .. " " .. line_of(other)
    end
  end
  return (selected or not all) and line or nil
end

local function service(cmd, scene)
  local name = cmd.name
  if cmd:flag("-WhatIf") then
    return nil
  elseif name == "Remove-Service" then
    return "Remove-Service"
  end
  local line = line_of(cmd)
  if name == "sc" then
    return re.match(line, [[^(\\\\\S+ )?delete ]]) and "sc delete" or re.match(line, "^(stop|config) +" .. GUARDS .. "( |$)") and line or nil
  elseif name == "net" or name == "net1" then
    return re.match(line, [[^stop +"?]] .. GUARDS) and line or nil
  end
  local whole = piped(cmd, scene)
  if not whole or re.match(whole, [[^(-(name|displayname|force) +)*['"]?\*]]) then
    return (name == "Stop-Service" or re.match(line, "disabled|stopped")) and name .. " for every service" or nil
  end
  return re.match(whole, "(^|[ '\"])" .. GUARDS .. "([ '\"]|$)") and (name == "Stop-Service" or re.match(line, "disabled|stopped")) and name .. " " .. line or nil
end

local function truth(cmd, name)
  local value = cmd:flag(name)
  return type(value) == "string" and value:lower() or value
end

local function defender(cmd)
  if cmd:flag("-WhatIf") then
    return nil
  end
  for _, word in ipairs(cmd.args) do
    if re.match(word, "(?i)^-(Exclusion|AttackSurfaceReductionOnlyExclusions)") then
      return cmd.name .. " with an exclusion"
    end
    local off = re.match(word, "(?i)^-(Disable|d(rtm|bm|ioavp|scrptsc|archsc|ips|emsc|rdsc|baf)$)") and truth(cmd, word:match("^[^:]+"))
    if off and off ~= "false" and off ~= "0" and off ~= "$false" then
      return word
    elseif re.match(word, "(?i)^-(MAPSReporting|SubmitSamplesConsent|EnableControlledFolderAccess|PUAProtection)$") and re.match(tostring(truth(cmd, word)), "^(0|2|disabled|neversend)$") then
      return word
    end
  end
end

local function firewall(cmd, scene)
  if cmd:flag("-WhatIf") then
    return nil
  elseif cmd.name == "netsh" then
    local line = line_of(cmd)
    return (re.match(line, [[^(adv)?firewall .*(state off|opmode (mode=)?disable)|^advfirewall reset|^firewall set opmode (mode=)?disable]]) or re.match(line, [[firewall delete rule (name=)?"?all]])) and "netsh" or nil
  elseif cmd.name == "Set-NetFirewallProfile" then
    local enabled = truth(cmd, "-Enabled")
    return (enabled == "false" or enabled == "0") and cmd.name or nil
  end
  -- Rules are removed or disabled as a whole where none is named.
  if not piped(cmd, scene) or EVERYTHING:match(tostring(cmd:flag("-DisplayName", "-Name", "-Group", "-DisplayGroup") or cmd:operands()[1] or "")) then
    return cmd.name
  end
  return not cmd:flag("-DisplayName", "-Name", "-Group", "-DisplayGroup", "-InputObject") and #cmd:operands() == 0 and not cmd.pipe and cmd.name or nil
end

local POLICY = patterns.later([[(?i)^(bypass|unrestricted)$]])

local function execution_policy(cmd)
  local policy = cmd:flag("-ExecutionPolicy")
  if type(policy) ~= "string" then
    policy = cmd:operands()[1] or ""
  end
  local scope = cmd:flag("-Scope")
  if type(scope) ~= "string" then
    scope = cmd:operands()[policy == cmd:operands()[1] and 2 or 1] or "LocalMachine"
  end
  return POLICY:match(policy) and re.match(scope, "(?i)^(LocalMachine|MachinePolicy|UserPolicy)$") and not cmd:flag("-WhatIf") and policy or nil
end

local function of_account(cmd)
  if cmd.name == "net" or cmd.name == "net1" then
    local line = line_of(cmd)
    return re.match(line, [[^(user|localgroup|group) .*/(delete|del)\b|^user .*/active:no]]) and line
      or re.match(line, [[^(localgroup|group) +"?(administrators|domain admins|enterprise admins)"? .*/add]]) and line or nil
  elseif cmd:flag("-WhatIf") then
    return nil
  elseif cmd.name == "Add-LocalGroupMember" then
    return re.match(line_of(cmd), "administrators") and cmd.name or nil
  end
  return cmd.name
end

return { class = "windows", title = "What Windows keeps", rules = {
  {
    id = "windows.shadow-copies",
    severity = "critical",
    programs = { "vssadmin", "wmic", "wbadmin", "diskshadow", "Disable-ComputerRestore" },
    looks_at = "cmd.args: what deletes shadow copies and backups, or switches them off",
    when = function(cmd)
      if cmd.name == "diskshadow" and cmd.input and re.match(cmd.input.text or "", "(?i)delete +shadows") then
        return cmd.name
      end
      return deletes_copies(cmd)
    end,
    reason = "{detail} deletes what this machine would be restored from.",
    advice = "List the copies; deleting them is for the user.",
    suggestion = "vssadmin list shadows",
    blocked = { "vssadmin delete shadows /all /quiet", "wmic shadowcopy delete", "wbadmin delete catalog -quiet",
      "powershell -c 'Get-CimInstance Win32_ShadowCopy | Remove-CimInstance'" },
    passes = { "vssadmin list shadows", "wmic shadowcopy list brief", "wbadmin get versions" },
  },
  {
    id = "windows.registry",
    severity = "high",
    programs = { "reg" },
    looks_at = "cmd.args: a key of the machine, or all of the user's, that is deleted",
    when = registry,
    reason = "This deletes {detail} from the registry, which Windows and programs need.",
    advice = "Export the key first, and have the user delete it.",
    suggestion = "reg query HKCU\\Software",
    blocked = { "reg delete HKLM\\\\SOFTWARE\\\\Shop /f", "reg delete 'HKCU\\Software' /f", "pwsh -c 'Remove-Item HKLM:\\SOFTWARE\\Microsoft -Recurse'" },
    passes = { "reg query HKLM\\\\SOFTWARE", "reg delete 'HKCU\\Software\\Shop\\Cache' /f", "reg delete 'HKCU\\Environment' /v SHOP_HOME /f" },
  },
  {
    id = "windows.registry-start",
    severity = "medium",
    programs = { "reg" },
    looks_at = "cmd.args: keys that decide what runs by itself and what guards the machine",
    when = registry_set,
    reason = "{detail} decides what Windows runs by itself, or what guards it.",
    advice = "Have the user set it.",
    suggestion = "reg query HKCU\\Software",
    blocked = { "reg add 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run' /v x /d x.exe" },
    passes = { "reg add 'HKCU\\Software\\Shop' /v Level /d 3" },
  },
  {
    id = "windows.path",
    severity = "medium",
    programs = { "setx" },
    looks_at = "cmd:operands(): the variable PATH",
    when = function(cmd)
      return (cmd:operands()[1] or ""):lower() == "path" and cmd:operands()[2] ~= nil
    end,
    reason = "setx replaces the PATH that every program of the user's starts with, and cuts it off behind 1024 characters; %PATH% puts that of the machine into it, too.",
    advice = "Set it for this session only, or have the user add the folder in the settings of Windows.",
    suggestion = "set PATH=%PATH%;C:\\tools",
    blocked = { "setx PATH C:\\tools", 'setx PATH "%PATH%;C:\\tools" /M' },
    passes = { "setx JAVA_HOME C:\\jdk", "setx /?" },
  },
  {
    id = "windows.boot",
    severity = "high",
    programs = { "bcdedit", "bootsect", "reagentc", "bcdboot" },
    looks_at = "cmd.args: what changes how Windows starts, and how it is repaired",
    when = says({ bcdedit = [[^/(set|delete|deletevalue|import|default|createstore)\b]], bootsect = [[^/nt]], reagentc = [[^/disable]], bcdboot = [[.]] }),
    reason = "{detail} changes how this machine starts, or takes away what repairs it.",
    advice = "Only list the entries; the user changes them.",
    suggestion = "bcdedit /enum",
    blocked = { "bcdedit /set '{default}' recoveryenabled No", "bcdedit /delete '{current}'", "reagentc /disable" },
    passes = { "bcdedit /enum", "bcdedit", "reagentc /info" },
  },
  {
    id = "windows.overwritten",
    severity = "high",
    programs = { "fsutil", "Clear-Tpm", "manage-bde", "Disable-BitLocker", "Remove-BitLockerKeyProtector" },
    looks_at = "cmd.args: what writes over files, or takes keys of disks away",
    when = says({ fsutil = [[setzerodata|usn +deletejournal|volume +dismount|dirty +set]], ["Clear-Tpm"] = "", ["manage-bde"] = [[^-(off|forcerecovery|protectors +-delete)]],
      ["Disable-BitLocker"] = "", ["Remove-BitLockerKeyProtector"] = "" }),
    reason = "{detail} writes over what files hold, or takes away the key to a disk.",
    advice = "Have the user do it.",
    suggestion = "fsutil volume diskfree C:",
    blocked = { "fsutil file setzerodata offset=0 length=99999 C:\\\\data.bin", "fsutil usn deletejournal /d C:", "manage-bde -off C:" },
    passes = { "fsutil volume diskfree C:", "manage-bde -status" },
  },
  {
    id = "windows.logs",
    severity = "high",
    programs = { "wevtutil", "Clear-EventLog", "Remove-EventLog", "auditpol" },
    looks_at = "cmd.args: logs of Windows that are emptied",
    when = says({ wevtutil = [[^(cl|clear-log)\b|^sl\b.*/e:false]], ["Clear-EventLog"] = "", ["Remove-EventLog"] = "", auditpol = [[^/(clear|remove)|/(success|failure):disable]] }),
    reason = "{detail} deletes the record of what has happened on this machine.",
    advice = "Read the log; it is kept small by itself.",
    suggestion = "wevtutil el",
    blocked = { "wevtutil cl Security", "pwsh -c 'Clear-EventLog -LogName Application'" },
    passes = { "wevtutil qe System /c:5", "pwsh -c 'Get-EventLog -LogName System -Newest 5'" },
  },
  {
    id = "windows.defender",
    severity = "high",
    programs = { "Set-MpPreference", "Add-MpPreference" },
    looks_at = "parameters that switch protection off, or leave something out of it",
    when = defender,
    reason = "{detail} takes protection away from this machine.",
    advice = "Tell the user what is in the way.",
    suggestion = "pwsh -c Get-MpPreference",
    blocked = { "pwsh -c 'Set-MpPreference -DisableRealtimeMonitoring $true'", "pwsh -c 'Add-MpPreference -ExclusionPath C:\\'" },
    passes = { "pwsh -c Get-MpPreference", "pwsh -c 'Set-MpPreference -DisableRealtimeMonitoring $false'" },
  },
  {
    id = "windows.firewall",
    severity = "high",
    programs = { "netsh", "Set-NetFirewallProfile", "Remove-NetFirewallRule", "Disable-NetFirewallRule" },
    looks_at = "cmd: a firewall that is switched off, or loses all rules",
    when = firewall,
    reason = "{detail} takes the firewall away.",
    advice = "Open the one port that is needed, or have the user do it.",
    suggestion = "netsh advfirewall show allprofiles",
    blocked = { "netsh advfirewall set allprofiles state off", "pwsh -c 'Set-NetFirewallProfile -All -Enabled False'" },
    passes = { "netsh advfirewall show allprofiles", "pwsh -c 'Remove-NetFirewallRule -DisplayName Shop'" },
  },
  {
    id = "windows.network",
    severity = "medium",
    programs = { "netsh", "Disable-NetAdapter", "Remove-NetAdapter", "Remove-NetIPAddress", "Remove-NetRoute" },
    looks_at = "cmd: adapters that are switched off, addresses and routes that are taken away",
    when = function(cmd)
      if cmd.name == "netsh" then
        local line = table.concat(cmd.args, " ")
        return re.match(line, [[(?i)^int(?:erface)? (?:set interface .*\bdisabled?\b|ip(?:v4|v6)? (?:delete|reset)\b)]]) and "netsh " .. line
      end
      return cmdlet(cmd)
    end,
    reason = "{detail} may take this machine off the network, and the agent with it.",
    advice = "Look at the adapters; the user changes them.",
    suggestion = "netsh interface show interface",
    blocked = { "netsh interface set interface Ethernet admin=disable", "pwsh -c 'Disable-NetAdapter -Name * -Confirm:$false'" },
    passes = { "netsh interface show interface", "netsh interface set interface Ethernet admin=enable", "pwsh -c 'Disable-NetAdapter -Name Ethernet -WhatIf'" },
  },
  {
    id = "windows.services",
    severity = "medium",
    programs = { "sc", "net", "net1", "Remove-Service", "Stop-Service", "Set-Service" },
    looks_at = "cmd: services that are deleted, and those that guard the machine",
    when = service,
    reason = "{detail} takes a service away from this machine.",
    advice = "Stop your own service by its name; the user removes others.",
    suggestion = "sc query Shop",
    blocked = { "sc delete MSSQLSERVER", "pwsh -c 'Remove-Service -Name Shop'", "net stop WinDefend" },
    passes = { "sc query MSSQLSERVER", "sc stop Shop", "pwsh -c 'Restart-Service Shop'", "net stop Shop" },
  },
  {
    id = "windows.tasks",
    severity = "medium",
    programs = { "schtasks", "Unregister-ScheduledTask" },
    looks_at = "cmd: all tasks that are deleted",
    when = tasks,
    reason = "This deletes {detail} that Windows runs by itself.",
    advice = "Name the task that is yours.",
    suggestion = "schtasks /query",
    blocked = { "schtasks /delete /tn '*' /f" },
    passes = { "schtasks /delete /tn Shop /f", "schtasks /query" },
  },
  {
    id = "windows.recycle-bin",
    severity = "medium",
    programs = { "Clear-RecycleBin" },
    looks_at = "cmd.name",
    when = cmdlet,
    reason = "This empties the recycle bin: what lies there can't be brought back.",
    advice = "Leave it to the user.",
    suggestion = "ls",
    blocked = { "pwsh -c 'Clear-RecycleBin -Force'" },
    passes = { "pwsh -c 'Clear-RecycleBin -WhatIf'" },
  },
  {
    id = "windows.certificates",
    severity = "medium",
    programs = { "certutil" },
    looks_at = "cmd.args: -delstore",
    when = says({ certutil = [[^-(delstore|user -delstore|delkey)]] }),
    reason = "This deletes certificates, and keys that may be nowhere else.",
    advice = "Have the user do it.",
    suggestion = "certutil -store My",
    blocked = { "pwsh -c 'Remove-Item Cert:\\CurrentUser\\My\\* '", "certutil -delstore My 01" },
    passes = { "certutil -store My", "certutil -hashfile x.zip SHA256" },
  },
  {
    id = "windows.machines",
    severity = "high",
    programs = { "Remove-VM", "Remove-VHD", "Remove-VMHardDiskDrive", "Restore-VMSnapshot", "Remove-VMSnapshot", "Remove-Cluster", "Remove-ClusterGroup", "Remove-SmbShare", "Remove-IISSite", "Remove-WebSite", "Remove-Website",
      "Uninstall-WindowsFeature", "Remove-WindowsFeature", "Restore-Computer", "Remove-Computer" },
    looks_at = "cmd.name",
    when = cmdlet,
    reason = "{detail} takes away a machine, a part of one, or what it serves.",
    advice = "List them; removing one is for the user.",
    suggestion = "pwsh -c Get-VM",
    blocked = { "pwsh -c 'Remove-VM -Name build -Force'" },
    passes = { "pwsh -c Get-VM", "pwsh -c 'Remove-VM -Name build -WhatIf'" },
  },
  {
    id = "windows.apps",
    severity = "medium",
    programs = { "Remove-AppxPackage", "Remove-AppxProvisionedPackage", "Disable-WindowsOptionalFeature", "Uninstall-Package" },
    looks_at = "cmd: apps of all users, and parts of Windows",
    when = function(cmd)
      if cmd:flag("-WhatIf") or (cmd.name == "Remove-AppxPackage" and not cmd:flag("-AllUsers") and not cmd.pipe) or (cmd.name == "Uninstall-Package" and not cmd:flag("-AllVersions")) then
        return nil
      end
      return cmd.name
    end,
    reason = "{detail} removes programs that Windows or other users have.",
    advice = "Name the one that is meant, or have the user do it.",
    suggestion = "pwsh -c Get-AppxPackage",
    blocked = { "pwsh -c 'Get-AppxPackage -AllUsers | Remove-AppxPackage'" },
    passes = { "pwsh -c Get-AppxPackage" },
  },
  {
    id = "windows.directory",
    severity = "high",
    programs = { "Remove-ADUser", "Remove-ADObject", "Remove-ADGroup", "Remove-ADComputer", "Remove-ADOrganizationalUnit", "Remove-ADServiceAccount", "Remove-GPO", "Remove-DnsServerZone", "Remove-DhcpServerv4Scope",
      "Remove-Mailbox", "Remove-MailboxDatabase", "Remove-DistributionGroup", "Remove-MgUser", "Remove-MgGroup", "Remove-MsolUser", "Remove-AzureADUser", "Remove-AzADUser", "Remove-DnsServerResourceRecord",
      "dsrm" },
    looks_at = "cmd.name",
    when = cmdlet,
    reason = "{detail} deletes accounts or settings that others use.",
    advice = "Show what would be deleted, with -WhatIf; the user deletes it.",
    suggestion = "pwsh -c 'Get-ADUser kim'",
    blocked = { "pwsh -c 'Remove-ADUser kim -Confirm:$false'" },
    passes = { "pwsh -c 'Get-ADUser kim'", "pwsh -c 'Remove-ADUser kim -WhatIf'" },
  },
  {
    id = "windows.resources",
    severity = "high",
    programs = { "Remove-AzResourceGroup", "Remove-AzVM", "Remove-AzStorageAccount", "Remove-AzKeyVault", "Remove-AzSqlDatabase", "Remove-AzSqlServer", "Remove-AzDisk", "Remove-AzResource", "Remove-AzStorageContainer",
      "Remove-AzAksCluster", "Remove-AzWebApp", "Remove-AzSubscription", "Remove-AzCosmosDBAccount", "Remove-AzRecoveryServicesVault", "Remove-AzADApplication", "Remove-AzSnapshot", "Remove-S3Bucket", "Remove-EC2Instance",
      "Remove-RDSDBInstance", "Remove-CFNStack", "Remove-DDBTable", "Remove-GcsBucket", "Remove-DbaDatabase", "Remove-SqlDatabase" },
    looks_at = "cmd.name",
    when = cmdlet,
    reason = "{detail} deletes something that others may run on, with its data.",
    advice = "Show what would be deleted, with -WhatIf; the user deletes it.",
    suggestion = "pwsh -c Get-AzResourceGroup",
    blocked = { "pwsh -c 'Remove-AzResourceGroup -Name shop -Force'", "pwsh -c 'Remove-S3Bucket -BucketName backups -DeleteBucketContent'" },
    passes = { "pwsh -c Get-AzResourceGroup", "pwsh -c 'Remove-AzResourceGroup -Name shop -WhatIf'" },
  },
  {
    id = "windows.execution-policy",
    severity = "medium",
    programs = { "Set-ExecutionPolicy" },
    looks_at = "the policy, and -Scope",
    when = execution_policy,
    reason = "{detail} for the whole machine has PowerShell run every script, whoever wrote it.",
    advice = "Set it for this process: -Scope Process.",
    suggestion = "pwsh -c 'Set-ExecutionPolicy Bypass -Scope Process'",
    blocked = { "pwsh -c 'Set-ExecutionPolicy Unrestricted'", "pwsh -c 'Set-ExecutionPolicy Bypass -Scope LocalMachine -Force'" },
    passes = { "pwsh -c 'Set-ExecutionPolicy Bypass -Scope Process'", "pwsh -c 'Set-ExecutionPolicy RemoteSigned -Scope CurrentUser'" },
  },
  {
    id = "windows.accounts",
    severity = "medium",
    programs = { "net", "net1", "Remove-LocalUser", "Remove-LocalGroup", "Disable-LocalUser", "Add-LocalGroupMember", "Disable-ADAccount" },
    looks_at = "cmd: accounts that are deleted, or become administrators",
    when = of_account,
    reason = "{detail} changes who may do what on this machine.",
    advice = "Tell the user what is missing.",
    suggestion = "whoami",
    blocked = { "net user kim /delete", "net localgroup administrators guest /add", "pwsh -c 'Remove-LocalUser kim'" },
    passes = { "net user kim", "net use Z: //server/share", "pwsh -c Get-LocalUser" },
  },
} }
