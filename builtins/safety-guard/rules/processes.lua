-- Commands that stop a machine, or everything that runs on it.

local listed = require("later")("listed")

local FORKS = patterns.later([[fork\b|\bspawn\b|\bPopen\b|\.Process\(]])
local KILLS_ALL = patterns.later([[\b(process|os|Process|posix)(\.|_)kill(pg)? *\(? *(-1\b|[^,;)]*, *-1 *\))|\bkill *\(? *["']?(9|-9|KILL|SIGKILL|TERM|15)["']? *(,|=>) *-1\b]])
local QUOTED = [["[^"]*"|'[^']*']]
local ENDLESS = patterns.later([[while *\(? *(1|True|true|\(1\)|\(true\))|while +1|for *\(;;\)|for *\( *; *; *\)|\bloop\b|iter\(int, *1\)|itertools\.(count|repeat|cycle)|range\(10 *\*\* *[5-9]\)|setInterval|1\.\.1e[5-9]|until *\(? *(0|false)|\b1 while\b|fork while]])
local TELLS = patterns.later([[(?i)\bto +(shut +down|restart|sleep|log +out)\b]])
local ANY = patterns.later([[^(/|/(usr|bin|sbin|usr/s?bin|home|opt|lib|usr/lib)/?|\^?\.\*?\$?|\^?\.\+\$?|\^|\$|\*|\.\.?|\[\^?[a-zA-Z0-9-]+\][*+]?)$]])

-- The processes that kill is given, as written.
local function targets(cmd)
  local list, i = {}, 1
  local words = cmd.args
  local first = words[1]
  if not first or first == "-0" or first == "-n0" or first == "-s0" or (first == "-s" or first == "-n" or first == "--signal") and words[2] == "0" or first == "--signal=0" then
    return list -- it only asks whether they are there
  elseif re.match(first, "^(-l|-L|--list|--table|--help|--version|-V)") then
    return list
  elseif first == "-s" or first == "-n" or first == "--signal" or first == "-q" then
    i = 3
  elseif first:sub(1, 1) == "-" and first ~= "--" and #words > 1 then
    i = 2
  end
  for k = i, #words do
    if words[k] ~= "--" then
      list[#list + 1] = words[k]
    end
  end
  return list
end

local ALL_OF_PS = patterns.later("^-?[a-zA-Z]*[aAeUux]")

-- Whether what a command is given are the numbers of every process, or of all that a user has.
local function gets_all(cmd)
  local lists
  for _, source in ipairs(cmd.told) do
    local name = source.name
    if name == "ps" then
      if source:flag("-p", "--pid", "-C", "--ppid", "-q", "-t", "-g", "-s", "--sid", "--tty", "--group") or not ALL_OF_PS:match(source.args[1] or "") then
        return nil
      end
      lists = "ps"
    elseif name == "pgrep" then
      local operands = source:operands()
      local pattern = operands[#operands]
      local user = source:flag("-u", "--euid", "-U", "--uid")
      if source:flag("-P", "--parent", "-t", "-g", "-s") or pattern and pattern ~= user and not ANY:match(pattern) then
        return nil
      end
      lists = "pgrep"
    elseif name == "ls" and path.clean(source:operands()[1] or "") == "/proc" then
      lists = "/proc"
    elseif not listed.passes_on(source) then
      return nil
    end
  end
  return lists
end

-- Whether pkill and killall select processes by their owner.
local function of_user(cmd)
  return cmd:flag("-u", "--user", "-U", "--uid", "-g", "-G", "-t") ~= false
end

local VITAL = patterns.later("^(tmux(: server)?|screen|SCREEN|zellij|gnome-session\\S*|xfce4-session|ksmserver|plasmashell|kwin_(x11|wayland)|sway|Hyprland|systemd|init|launchd|sshd|dbus-daemon|NetworkManager|Xorg|gnome-shell|gdm|WindowServer|loginwindow|containerd|dockerd|kubelet|udevd|systemd-[a-z]+|lsass|csrss|winlogon|svchost|wininit|smss|dwm|explorer|MsMpEng|msmpeng)$")

-- Programs that ask the user before the session ends, unless they are told not to.
local SESSION_OPTIONS = {
  ["gnome-session-quit"] = { "--no-prompt", "--force" }, ["cinnamon-session-quit"] = { "--no-prompt", "--force" },
  ["mate-session-save"] = { "--force-logout" }, ["xfce4-session-logout"] = { "-l", "--logout", "-h", "--halt", "-r", "--reboot", "-f", "--fast" },
}

return { class = "processes", title = "Processes", rules = {
  {
    id = "processes.fork-bomb",
    severity = "critical",
    needs = { "multiplies" },
    looks_at = "cmd.multiplies",
    when = function(cmd)
      return cmd.multiplies
    end,
    reason = "This starts more and more processes without end, until the machine hangs.",
    advice = "Wait for each round before the next one begins, or say how many there are.",
    suggestion = "for i in 1 2 3; do echo $i & done; wait",
    blocked = { ":(){ :|:& };:", "while true; do ./job & done", "first() { second & }; second() { first; }; first" },
    passes = { "while true; do ./job & wait; done", "for i in 1 2 3; do ./job & done; wait", "while true; do curl -s localhost; sleep 1; done" },
  },
  {
    id = "processes.fork-loop",
    severity = "critical",
    programs = { "perl", "python", "python2", "python3", "ruby", "php", "node", "nodejs" },
    only = "script",
    looks_at = "the script of -c, -e or -r",
    when = function(cmd)
      for _, script in ipairs(cmd.args) do
        script = re.replace(script, QUOTED, "''")
        if FORKS:match(script) and ENDLESS:match(script) and not re.match(script, [[\b(wait|waitpid|sleep|break)\b]]) then
          return true
        end
      end
    end,
    reason = "This script starts more and more processes without end, until the machine hangs.",
    advice = "Wait for each process before the next one is started, or say how many there are.",
    suggestion = "python3 -c 'import os; print(os.cpu_count())'",
    blocked = { "perl -e 'fork while 1'", "python3 -c 'import os\nwhile True: os.fork()'" },
    passes = { "python3 -c 'import os; os.fork()'", "perl -e 'print 1 while $i++ < 3'" },
  },
  {
    id = "processes.kill-script",
    severity = "critical",
    programs = { "perl", "python", "python2", "python3", "ruby", "php", "node", "nodejs" },
    only = "script",
    looks_at = "the script of -c, -e or -r: a signal to -1",
    when = function(cmd)
      for _, script in ipairs(cmd.args) do
        if KILLS_ALL:match(script) then
          return true
        end
      end
    end,
    reason = "This script ends every process that the user has.",
    advice = "Name the processes that are yours by their numbers.",
    suggestion = "kill %1",
    blocked = { "python3 -c 'import os, signal; os.kill(-1, signal.SIGKILL)'", "node -e 'process.kill(-1, \"SIGKILL\")'", "perl -e 'kill 9, -1'" },
    passes = { "python3 -c 'import os; os.kill(4321, 15)'", "node -e 'process.kill(-4321)'" },
  },
  {
    id = "processes.itself",
    severity = "critical",
    programs = { "?", "bash", "sh", "zsh", "dash", "ksh" },
    looks_at = "cmd.path, the script of a shell: $0 in the background or a pipe",
    when = function(cmd)
      local itself = cmd.path == "$0" or cmd.name and cmd.words[1] and cmd.words[1].text == "$0"
      return itself and (cmd.context == "background" or cmd.context == "pipe")
    end,
    reason = "A script that starts itself again, and doesn't wait, fills the machine with copies of itself.",
    advice = "Start what is to be done by its name, and once.",
    suggestion = "ls",
    blocked = { "$0 & $0 &", "$0 | $0 &", "bash $0 & bash $0 &" },
    passes = { "echo $0 | cat" },
  },
  {
    id = "processes.endless-input",
    severity = "critical",
    programs = { "xargs", "parallel" },
    looks_at = "cmd.pipe: yes in front of it, and -P 0 or -j 0",
    when = function(cmd, scene)
      local before
      for _, other in ipairs(cmd.pipe and cmd:flag("-P", "--max-procs", "-j", "--jobs") == "0" and scene.commands or {}) do
        if other == cmd then
          return before == "yes" and cmd.name or nil
        elseif other.pipe == cmd.pipe then
          before = other.name
        end
      end
    end,
    reason = "{detail} starts a process for each line of an input without end, and waits for none.",
    advice = "Say how many there are, and how many run at a time.",
    suggestion = "seq 8 | xargs -P 4 -n 1 echo",
    blocked = { "yes | xargs -P0 -n1 sleep", "yes | parallel -j0 sleep" },
    passes = { "seq 8 | xargs -P0 -n1 sleep", "yes | head -3 | xargs -P2 -n1 echo" },
  },
  {
    id = "processes.kill-all",
    severity = "critical",
    programs = { "kill" },
    looks_at = "cmd.args: -1 and 1; cmd.told: all that ps lists",
    when = function(cmd)
      for _, target in ipairs(targets(cmd)) do
        if target == "-1" then
          return "every process that the user has"
        elseif target == "1" then
          return "process 1, and with it the machine"
        end
      end
      local lists = cmd.told[1] and #targets(cmd) > 0 and gets_all(cmd)
      return lists and "every process that " .. lists .. " lists"
    end,
    reason = "This ends {detail}.",
    advice = "Name the processes that are yours: by their number, or by the job (kill %1).",
    suggestion = "kill %1",
    blocked = { "kill -9 -1", "kill -TERM 1", "kill -s KILL -- -1", "ps aux | awk '{print $2}' | xargs kill -9", "kill $(ps -u kim -o pid=)" },
    passes = { "kill -1 4321", "ps aux | grep vite | awk '{print $2}' | xargs kill", "kill $(pgrep -f vite)", "kill $(lsof -t -i:3000)", "kill -9 4321", "kill -l 1", "kill -0 1", "kill -s 0 -1" },
  },
  {
    id = "processes.kill-matching",
    severity = "high",
    programs = { "pkill", "killall", "skill", "slay" },
    looks_at = "operands and -u: whether they say more than a user, or nothing",
    when = function(cmd)
      local names = cmd:operands()
      if cmd.name == "pkill" and cmd:flag("-v", "--inverse") then
        return "every process but the ones that it names"
      elseif #names == 0 or cmd.name == "skill" and of_user(cmd) then
        return of_user(cmd) and not cmd:flag("--help", "--version", "-V", "-l", "--list") and "every process of a user"
      end
      for _, name in ipairs(names) do
        if (name == "" or ANY:match(name)) and (cmd.name == "pkill" or cmd:flag("-r", "--regexp", "-m")) then
          return "every process that it may end"
        end
      end
    end,
    reason = "This ends {detail}.",
    advice = "Name the program whose processes are to be ended.",
    suggestion = "pkill -f 'node server.js'",
    blocked = { "pkill -9 -u kim", "pkill -f .", "killall -u kim" },
    passes = { "pkill -u kim node", "pkill -f 'vite --port 5173'", "killall node" },
  },
  {
    id = "processes.kill-users",
    severity = "high",
    programs = { "fuser" },
    looks_at = "cmd: -k with -m, or with a folder of the machine or the user",
    when = function(cmd, scene)
      if not cmd:flag("-k", "--kill") or cmd:flag("-i", "--interactive") then
        return nil
      end
      local mounted = cmd:flag("-m", "-c", "--mount")
      for _, target in ipairs(cmd:operands()) do
        local place = path.is_abs(target) and scene:where({ path = target, dynamic = false, glob = false })
        if place == "root" or place == "home" or place == "system" or place == "mount" or mounted and place then
          return target
        end
      end
    end,
    reason = "This ends every process that uses {detail}, whoever it belongs to.",
    advice = "Name the port, or the process.",
    suggestion = "fuser -v /home",
    blocked = { "sudo fuser -k /home", "fuser -km /" },
    passes = { "fuser -k 3000/tcp", "fuser -v /home", "fuser -k app.log" },
  },
  {
    id = "processes.kill-vital",
    severity = "medium",
    programs = { "pkill", "killall" },
    looks_at = "operands: programs that the machine or the session needs",
    when = function(cmd)
      for _, name in ipairs(cmd:operands()) do
        if VITAL:match(name) and cmd:flag("-0", "-s") ~= "0" and not cmd:flag("-0") then
          return name
        end
      end
    end,
    reason = "The machine, or the session, needs {detail}.",
    advice = "Let its service restart it, or ask the user to.",
    suggestion = "pgrep -l sshd",
    blocked = { "killall sshd", "pkill -9 systemd" },
    passes = { "pgrep sshd", "pkill vite" },
  },
  {
    id = "processes.taskkill",
    severity = "high",
    programs = { "taskkill" },
    looks_at = "cmd.args: every process, or those that Windows and the session need",
    when = function(cmd)
      local line = table.concat(cmd.args, " "):lower()
      return re.match(line, [[/im +"?(\*("|$| )|(explorer|lsass|csrss|winlogon|svchost|wininit|services|smss|dwm|system)(\.exe)?\b)]]) and line
        or re.match(line, "/fi ") and not re.match(line, "/(im|pid) ") and not re.match(line, [=[(imagename|windowtitle|pid) +eq +[^* ]]=]) and line or nil
    end,
    reason = "taskkill {detail} ends processes that Windows or the session need.",
    advice = "Name the program whose processes are to be ended.",
    suggestion = "taskkill /im node.exe /f",
    blocked = { "taskkill /f /im '*'", "taskkill /im lsass.exe /f" },
    passes = { "taskkill /im node.exe /f", "taskkill /pid 4321 /f" },
  },
  {
    id = "processes.killall5",
    severity = "critical",
    programs = { "killall5" },
    looks_at = "cmd.name",
    when = function(cmd)
      return true
    end,
    reason = "killall5 ends every process of the machine.",
    advice = "Name the program whose processes are to be ended.",
    suggestion = "pkill -f 'node server.js'",
    blocked = { "killall5 -9", "sudo killall5" },
    passes = { "killall node" },
  },
  {
    id = "processes.shutdown",
    severity = "high",
    programs = { "shutdown", "reboot", "halt", "poweroff", "Stop-Computer", "Restart-Computer", "softwareupdate", "rundll32", "rundll32.exe" },
    looks_at = "options",
    when = function(cmd)
      if cmd.name == "softwareupdate" then
        return cmd:flag("-R", "--restart") and "softwareupdate --restart"
      elseif cmd.name == "rundll32" or cmd.name == "rundll32.exe" then
        return re.match(table.concat(cmd.args, " "), "(?i)user32(?:\\.dll)?, *ExitWindows|powrprof(?:\\.dll)?, *SetSuspendState") and "rundll32"
      end
      if cmd:flag("--help", "--version", "--show", "-w", "--wtmp-only") or cmd:flag("-WhatIf") or cmd.name == "shutdown" and (cmd:flag("-c") or re.match(cmd.args[1] or "", "^[/-](a|\\?)$")) then
        return nil
      end
      return cmd.name
    end,
    reason = "{detail} stops the machine, and everything that runs on it.",
    advice = "Ask the user to do it, when it suits them.",
    suggestion = "uptime",
    blocked = { "sudo reboot", "shutdown -h now" },
    passes = { "shutdown -c", "reboot --help", "last reboot" },
  },
  {
    id = "processes.session",
    severity = "high",
    programs = { "logoff", "gnome-session-quit", "cinnamon-session-quit", "mate-session-save", "xfce4-session-logout", "swaymsg", "i3-msg", "hyprctl" },
    looks_at = "the name of the program, and the options with which nobody is asked",
    when = function(cmd)
      local name, line = cmd.name, table.concat(cmd.args, " ")
      if cmd:flag("--help") or line == "/?" then
        return nil
      elseif SESSION_OPTIONS[name] then
        return cmd:flag(unpack(SESSION_OPTIONS[name])) and name
      end
      return (name == "logoff" or re.match(line, "^(exit|dispatch exit)$")) and name
    end,
    reason = "{detail} logs the user out, and ends all that runs in the session.",
    advice = "Ask the user to do it, when it suits them.",
    suggestion = "loginctl list-sessions",
    blocked = { "logoff", "gnome-session-quit --logout --no-prompt" },
    passes = { "gnome-session-quit --help", "swaymsg reload" },
  },
  {
    id = "processes.terminals",
    severity = "medium",
    programs = { "tmux kill-server", "zellij kill-all-sessions", "zellij delete-all-sessions" },
    looks_at = "tmux kill-server without a socket of its own",
    when = function(cmd)
      return not cmd:flag("-L", "-S", "--help") and cmd.name .. " " .. cmd:subcommand()
    end,
    reason = "{detail} ends every terminal of the user that runs in it, and maybe this one.",
    advice = "End the session that you have started, by its name.",
    suggestion = "tmux kill-session -t build",
    blocked = { "tmux kill-server", "zellij kill-all-sessions --yes" },
    passes = { "tmux kill-session -t build", "tmux -L build kill-server", "tmux ls" },
  },
  {
    id = "processes.runlevel",
    severity = "high",
    programs = { "init", "telinit" },
    looks_at = "the first operand",
    when = { operand = "^[0-6sS]$" },
    reason = "This takes the machine to another runlevel ({detail}): it stops what runs.",
    advice = "Ask the user to do it, when it suits them.",
    suggestion = "uptime",
    blocked = { "init 0", "sudo telinit 6" },
    passes = { "npm init -y", "init --version" },
  },
  {
    id = "processes.systemctl",
    severity = "high",
    programs = { "systemctl", "loginctl" },
    looks_at = "the first operand",
    when = { words = { "poweroff", "reboot", "halt", "kexec", "soft-reboot", "exit", "suspend", "hibernate", "hybrid-sleep", "sleep", "emergency", "rescue",
      "isolate", "start reboot.target", "start poweroff.target", "start halt.target", "start rescue.target", "start emergency.target", "terminate-user", "kill-user", "terminate-session", "terminate-seat" }, unless = { "--help", "--version", "--dry-run" },
      also = function(cmd)
        local at = cmd:flag("--when")
        return at ~= "cancel" and at ~= "show"
      end },
    reason = "systemctl {detail} stops the machine, or what runs on it.",
    advice = "Ask the user to do it, when it suits them.",
    suggestion = "systemctl --user status",
    blocked = { "systemctl poweroff", "sudo systemctl -i reboot" },
    passes = { "systemctl status nginx", "systemctl --user restart app", "systemctl reboot --when=cancel" },
  },
  {
    id = "processes.osascript",
    severity = "high",
    programs = { "osascript" },
    looks_at = "the script of -e",
    when = function(cmd)
      for _, script in ipairs(cmd.args) do
        if TELLS:match(script) then
          return true
        end
      end
    end,
    reason = "This has macOS shut down, restart, sleep or log the user out.",
    advice = "Ask the user to do it, when it suits them.",
    suggestion = "uptime",
    blocked = { "osascript -e 'tell app \"System Events\" to shut down'" },
    passes = { "osascript -e 'display notification \"restart done\"'" },
  },
  {
    id = "processes.kexec",
    severity = "high",
    programs = { "kexec" },
    looks_at = "options",
    when = { flag = { "-e", "--exec" } },
    reason = "kexec -e starts another kernel at once, and everything that runs is gone.",
    advice = "Ask the user to do it, when it suits them.",
    suggestion = "uname -r",
    blocked = { "kexec -e" },
    passes = { "kexec --version" },
  },
  {
    id = "processes.sysrq",
    severity = "critical",
    on = "file",
    about = "device",
    looks_at = "files that are written: /proc/sysrq-trigger",
    when = function(file)
      return file.access == "write" and (file.path == "/proc/sysrq-trigger" or file.path == "/proc/sys/kernel/panic" or file.path:find("^/sys/power/")) and file.path
    end,
    reason = "What is written to {detail} goes straight to the kernel: it reboots, crashes or powers off the machine.",
    advice = "Ask the user to do it.",
    suggestion = "cat /proc/uptime",
    blocked = { "echo b > /proc/sysrq-trigger", "echo c | sudo tee /proc/sysrq-trigger" },
    passes = { "cat /proc/sys/kernel/sysrq" },
  },
} }
