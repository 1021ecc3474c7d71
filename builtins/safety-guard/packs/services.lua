-- The machine's services, system packages and network.

local reached = require("reached")

-- Whether the user's own services are meant, which need no administrator.
local function own(cmd)
  return cmd:flag("--user") ~= false
end

-- Package managers with a subcommand that removes.
local REMOVERS = { "apt", "apt-get", "aptitude", "nala", "yum", "dnf", "dnf5", "microdnf", "tdnf", "zypper", "apk", "snap", "flatpak", "port", "pkg", "opkg",
  "choco", "winget", "scoop", "swupd", "eopkg", "guix", "nix", "pkgin", "rpm-ostree", "transactional-update", "pipx", "gem", "rustup", "ghcup", "sdk", "nvm", "fnm", "volta", "n", "asdf", "mise", "rbenv", "pyenv", "jenv", "rvm", "opam", "luarocks", "mas", "cpanm", "raco" }
local TRIAL = { "--help", "-s", "--simulate", "--dry-run", "--just-print", "--no-act", "--recon", "--assumeno", "--test", "--noop", "--what-if" }

-- Package managers that remove by an option.
local function removes_by_option(cmd)
  local name = cmd.name
  if cmd:flag("--help") then
    return nil
  elseif name == "dpkg" then
    return not cmd:flag("--no-act", "--dry-run", "--simulate") and cmd:flag("-r", "--remove", "-P", "--purge", "--force-all")
  elseif name == "rpm" then
    return not cmd:flag("--test", "-q", "--query") and cmd:flag("-e", "--erase")
  elseif name == "nix-env" then
    return not cmd:flag("--dry-run") and cmd:flag("-e", "--uninstall", "--delete-generations")
  elseif name == "nix-collect-garbage" then
    return not cmd:flag("--dry-run") and cmd:flag("-d", "--delete-old", "--delete-older-than")
  elseif name == "emerge" then
    return not cmd:flag("-p", "--pretend") and cmd:flag("-C", "--unmerge", "-c", "--depclean")
  elseif name == "xbps-remove" or name == "pkg_delete" or name == "pkgrm" or name == "eselect" then
    return not cmd:flag("-n", "--dry-run")
  end
  return not cmd:flag("-p", "--print") and (cmd:flag("-R", "--remove") or cmd:flag("-S") and cmd:flag("-c") and #cmd:operands() == 0) -- pacman and the like
end

-- The words of init scripts, managers of services, make, firewalls and networks that take something down.
local TAKES_DOWN = patterns.later([[^(?:force-|fast|quiet|one)?(?:stop|restart|condrestart|try-restart|disable|reload-or-restart|kill|zap|--full-restart)$]])
local MANAGERS = patterns.later([[^(?:brew services (?:stop|restart|kill|run)|gitlab-ctl (?:stop|restart|cleanse|uninstall|kill|term|hup|reconfigure)|gitlab-runner (?:unregister|stop|uninstall)|(?:conda|mamba|micromamba) env remove|launchctl (?:unload|bootout|remove|disable|kill|stop)|supervisorctl (?:stop|restart|shutdown|remove|signal)|sv (?:stop|down|restart|kill|exit|force-\w+|d|k)|s6-rc (?:-d|stop)|initctl (?:stop|restart)|pm2 (?:delete|del|kill|stop|restart all|flush|unstartup|cleardump|startOrRestart all)|forever (?:stop|stopall)|dinitctl stop|caddy stop|httpd (?:stop|restart)|(?:conda|mamba|micromamba) remove|brew (?:autoremove|untap)|fail2ban-client (?:stop|unban|set|unload)|postsuper|dovecot stop|snap (?:disable|revert)|datadog-agent stop|squid (?:shutdown|kill)|tmux kill-server|zellij (?:kill-all|delete-all)-sessions|buildkite-agent stop|monit (?:stop|restart|unmonitor|quit)|god (?:stop|restart|terminate|quit)|circusctl (?:stop|quit|rm|restart)|update-rc\.d \S+ (?:remove|disable)|chkconfig \S+ off|rc-update (?:del|delete)|nssm (?:stop|remove|restart)|svcadm (?:disable|restart)|sc (?:stop|delete)|net stop|loginctl (?:terminate|kill)-\w+|apache2?ctl (?:stop|restart|graceful-stop)|rabbitmqctl (?:stop\w*|reset|force_reset|delete_\w+|purge_queue|forget_cluster_node|clear_\w+)|chkconfig --del)( |$)]])
-- By program: the options with which it takes something down; with none, its operands do.
local ENDS = {
  a2dissite = {}, a2dismod = {}, a2disconf = {}, atrm = {}, insserv = { "-r", "--remove" }, squid = { "-k" }, postsuper = { "-d", "-h" },
  auditctl = { "-D", "-d", "-W" }, logrotate = { "-f", "--force" }, dmesg = { "-C", "--clear", "-c", "--read-clear" }, httpd = { "-k" },
}
local INSTALL = patterns.later([[^(?:un)?install(?:[-_/].*)?$]])
local OPENS = patterns.later([[^(?:disable|reset|delete|--force (?:reset|delete)|default allow|default deny|flush|destroy|advfirewall (?:reset|set .*off))\b]])
local CUTS = patterns.later([[^(?:ip (?:link|address|route|rule|neighbou?r|netns) (?:set .*\bdown$|set .*\bdown |del|delete|d|flush)\b|ip (?:tunnel|tuntap|xfrm \w+|maddr|vrf|nexthop) (?:del|delete|flush)\b|route (?:del|delete|flush)\b|brctl del\w+ |ovs-(?:vs|of)ctl del-\S+ |tc qdisc (?:del|replace|add .*\bnetem\b)|networksetup -set\w+.* off|zerotier-cli leave |netbird down|wg set .* remove$|netplan apply|dkms remove |localectl set-|hwclock |pmset |ip link set .*down|ifconfig \S+ down|ifdown |nmcli (?:con\w*|c|dev\w*|d) (?:down|del\w*|disconnect)|nmcli (?:networking|n|radio \w+) off|networksetup -set\w+ .*off|wg-quick down|tailscale (?:down|logout)|hostnamectl (?:set-)?hostname \S|timedatectl set-|rmmod |kextunload |swapoff )]])

-- What changes the machine by an option or by how its words look.
local SETS = {
  insmod = function(_, o) return #o > 0 end,
  date = function(cmd) return cmd:flag("-s", "--set") end,
  hwclock = function(cmd) return cmd:flag("--set", "-w", "--systohc", "-s", "--hctosys") end,
  sysctl = function(cmd, o) return cmd:flag("-w", "--write", "-p", "--load", "--system") or re.match(table.concat(o, " "), [[\w=]]) end,
  scutil = function(cmd) return cmd:flag("--set") end,
  nvram = function(cmd) return cmd:flag("-c", "-d") end,
  csrutil = function(_, o) return o[1] == "disable" or o[1] == "clear" end,
  spctl = function(cmd) return cmd:flag("--master-disable", "--global-disable") end,
  fdesetup = function(_, o) return o[1] == "disable" end,
  exportfs = function(cmd) return cmd:flag("-u") end,
  umount = function(cmd) return cmd:flag("-a", "--all") end,
  route = function(cmd, o) return cmd:flag("-f") or re.match(o[1] or "", "^(del|delete|flush)$") end,
}

-- What ip calls its objects and verbs, of which a beginning is enough.
local OBJECTS = { "address", "addr", "route", "rule", "link", "neighbour", "neighbor", "netns", "tunnel", "tuntap", "maddress", "nexthop", "vrf", "xfrm" }
local VERBS = { "set", "delete", "flush" }

local function begins(list, word)
  for _, full in ipairs(list) do
    if text.starts_with(full, word) then
      return full == "addr" and "address" or full
    end
  end
  return word
end

-- in_full returns the operands of ip as a text, with the object and the verb written out.
local function in_full(o)
  local words = { "ip", begins(OBJECTS, o[1] or ""), unpack(o, 2) }
  local at = words[2] == "xfrm" and 4 or 3
  if not (words[2] ~= "link" and words[at] == "s") and words[at] ~= "a" then -- show, add
    words[at] = words[at] and begins(VERBS, words[at])
  end
  return table.concat(words, " ")
end

-- in_words returns a call that is about the network as a text.
local function in_words(cmd)
  if cmd.name == "ip" then
    return in_full(cmd:operands())
  elseif cmd.name == "networksetup" then
    return "networksetup " .. table.concat(cmd.args, " ")
  end
  return cmd.name .. " " .. table.concat(cmd:operands(), " ")
end

-- What closes the way to the machine from everywhere: to its ssh, or to all of it.
local CLOSES = patterns.later([[^(?:-4 |-6 |-w |--wait )*(?:-A|-I|--append|--insert) INPUT (?:\d+ )?(?:-i (?:e|w|b)\S+ )?(?:-p (?:tcp|all) )?(?:-m \S+ )*(?:(?:--dport|--dports|--destination-port|--destination-ports) (?:\S+,)?(?:22|ssh)(?:,\S+)? )?(?:-m \S+ )*(?:-j|--jump) (?:DROP|REJECT)(?: |$)]])
local DENIES_SSH = patterns.later([[(?i)^(?:insert \d+ )?(?:deny|reject|delete (?:allow|limit)) (?:in )?(?:to any port )?(?:22|ssh|openssh)(?:/tcp)?$]])
local REMOVES_SSH = patterns.later([[^(?:ssh|22/tcp)$]])

-- closes returns what closes the way to the machine.
local function closes(cmd)
  local name = cmd.name
  if name == "ufw" then
    local words = table.concat(cmd:operands(), " ")
    return DENIES_SSH:match(words) and "ufw " .. words
  elseif name == "firewall-cmd" then
    local service, port = cmd:flag("--remove-service"), cmd:flag("--remove-port")
    return (cmd:flag("--panic-on") or type(service) == "string" and REMOVES_SSH:match(service) or type(port) == "string" and REMOVES_SSH:match(port)) and name
  end
  return name:find("tables", 1, true) and name ~= "iptables-restore" and CLOSES:match(table.concat(cmd.args, " ")) and name
end

-- A network card that is there, by its name, and what leads to other machines.
local CARD = [[(?:eth|en|wl|ww|bond|ib)\w*(?:\.\d+)?]]
-- What takes a Mac's protection away, or its settings.
local PROTECTS = { csrutil = patterns.later("disable"), spctl = patterns.later("-disable"), fdesetup = patterns.later("disable"), nvram = patterns.later("-c") }

local LEAVES = patterns.later([[^(?:ip route (?:del|delete|d|flush) (?:.* )?(?:default|0\.0\.0\.0/0|::/0)\b|ip route flush (?:table main|all|cache all)|ip route flush$|ip address flush (?:.* )?(?:dev )?]] .. CARD .. [[$|ip link (?:set|s) (?:dev )?]] .. CARD .. [[ (?:.* )?down\b|ip link set .*\bdown .*\b(?:dev )?]] .. CARD .. [[$]] ..
  [[|ifconfig ]] .. CARD .. [[ down$|ifdown (?:.* )?(?:]] .. CARD .. [[|-a)$|nmcli (?:networking|n|net) off|nmcli (?:radio|r) (?:all|wifi) off|nmcli (?:dev\w*|d) (?:disconnect|down|del\w*) ]] .. CARD .. [[|route (?:del|delete|flush)(?: -\S+)* ?(?:default|-net 0\.0\.0\.0|0\.0\.0\.0|$)|networksetup -setairportpower \S+ off|networksetup -setnetworkserviceenabled .* off)]])

return { class = "services", title = "Services, system packages and the network", rules = {
  {
    id = "services.systemctl",
    severity = "medium",
    programs = { "systemctl" },
    looks_at = "cmd:operands()",
    when = { words = { "stop", "restart", "try-restart", "reload-or-restart", "disable", "mask", "kill", "isolate", "rescue", "emergency", "default", "suspend", "hibernate", "hybrid-sleep", "revert", "set-default",
      "clean", "freeze", "daemon-reexec", "soft-reboot" }, unless = { "--help", "-h", "--dry-run" }, also = function(cmd)
        local first = cmd:operands()[1]
        return not (own(cmd) and first ~= "mask" and first ~= "disable" and first ~= "isolate")
      end },
    reason = "systemctl {detail} takes a service away from all who use it on this machine.",
    advice = "See what it does, and have the user agree.",
    suggestion = "systemctl status nginx",
    blocked = { "sudo systemctl stop nginx", "systemctl restart docker", "systemctl mask nginx", "systemctl disable --now cron" },
    passes = { "systemctl status nginx", "systemctl is-active nginx", "systemctl --user restart app", "systemctl list-units", "sudo systemctl daemon-reload" },
  },
  {
    id = "services.service",
    severity = "medium",
    programs = { "service", "rc-service", "invoke-rc.d", "rcctl" },
    looks_at = "cmd:operands()",
    when = function(cmd)
      if cmd:flag("--help") then
        return nil
      end
      local o = cmd:operands()
      for i, word in ipairs(o) do
        if TAKES_DOWN:match(word) and (i > 1 or cmd.name == "rcctl") then
          return table.concat(o, " ")
        end
      end
      return cmd:flag("--full-restart") and (o[1] or "service") .. " --full-restart" or nil
    end,
    reason = "This takes a service away from all who use it on this machine: {detail}.",
    advice = "See how it is, and have the user agree.",
    suggestion = "service nginx status",
    blocked = { "service mysql restart", "sudo service nginx stop", "rc-service sshd stop" },
    passes = { "service nginx status", "service --status-all", "service restart status" },
  },
  {
    id = "services.init",
    severity = "medium",
    looks_at = "cmd.path: a script of /etc/init.d, and cmd.args",
    when = function(cmd)
      local script = cmd.path
      if script:sub(1, 5) ~= "/etc/" or not (script:sub(1, 12) == "/etc/init.d/" or script:sub(1, 10) == "/etc/rc.d/") then
        return nil
      end
      local word = cmd.args[1]
      return word and TAKES_DOWN:match(word) and cmd.name and cmd.name .. " " .. word or nil
    end,
    reason = "This takes a service away from all who use it on this machine: {detail}.",
    advice = "See how it is, and have the user agree.",
    suggestion = "/etc/init.d/nginx status",
    blocked = { "sudo /etc/init.d/nginx stop", "/etc/rc.d/sshd restart" },
    passes = { "/etc/init.d/nginx status", "cat /etc/init.d/nginx" },
  },
  {
    id = "services.manager",
    severity = "medium",
    programs = { "launchctl", "brew", "snap", "forever", "dinitctl", "caddy", "httpd", "fail2ban-client", "datadog-agent", "tmux", "zellij", "a2dissite", "a2dismod", "a2disconf", "atrm", "insserv", "squid", "dovecot", "postsuper", "auditctl", "logrotate", "dmesg", "gitlab-ctl", "gitlab-runner", "conda", "mamba", "micromamba", "journalctl", "haproxy", "supervisorctl", "sv", "s6-svc", "s6-rc", "initctl", "pm2", "monit", "god", "circusctl", "update-rc.d", "chkconfig", "rc-update", "nssm", "svcadm", "sc", "net", "loginctl", "nginx", "apachectl", "apache2ctl", "rabbitmqctl" },
    looks_at = "cmd:operands()",
    when = function(cmd)
      local o, name = cmd:operands(), cmd.name
      local first, second = o[1], o[2]
      if cmd:flag("--help") then
        return nil
      elseif name == "journalctl" then
        return cmd:flag("--vacuum-size", "--vacuum-time", "--vacuum-files") and "journalctl --vacuum" or nil
      elseif name == "haproxy" then
        for _, word in ipairs(cmd.args) do
          if word == "-sf" or word == "-st" then
            return "haproxy " .. word
          end
        end
        return nil
      elseif ENDS[name] then
        local given = first
        if #ENDS[name] > 0 then
          given = cmd:flag(unpack(ENDS[name])) ~= false
        end
        return given and name .. " " .. (first or "") or nil
      elseif not first and name ~= "nginx" and name ~= "s6-svc" then
        return nil
      elseif name == "nginx" then
        local signal = cmd:flag("-s")
        return (signal == "stop" or signal == "quit") and "nginx -s " .. signal or nil
      elseif name == "s6-svc" then
        return cmd:flag("-d", "-r", "-k", "-x") and "s6-svc" or nil
      end
      local words = name .. " " .. first .. " " .. (second or "")
      if MANAGERS:match(words) then
        return text.trim(words)
      elseif name == "chkconfig" and cmd:flag("--del") then
        return "chkconfig --del"
      end
    end,
    reason = "This takes a service away from all who use it: {detail}.",
    advice = "See how it is, and have the user agree.",
    suggestion = "supervisorctl status",
    blocked = { "launchctl unload ~/Library/LaunchAgents/a.plist", "launchctl bootout gui/501/com.shop.app", "supervisorctl stop all", "pm2 delete all", "update-rc.d cron remove" },
    passes = { "launchctl list", "supervisorctl status", "pm2 list", "pm2 restart shop", "nginx -t", "nginx -s reload" },
  },
  {
    id = "services.remove-packages",
    severity = "medium",
    programs = REMOVERS,
    looks_at = "cmd:operands()",
    when = { words = { "remove", "purge", "autoremove", "auto-remove", "autopurge", "erase", "uninstall", "del", "rm", "delete", "deinstall",
      "profile remove", "store delete", "collect-garbage", "override remove", "bundle-remove", "uninstall-all", "history undo", "history rollback", "module remove", "swap", "gc", "store gc", "self uninstall", "toolchain uninstall", "toolchain remove", "target remove", "plugin remove", "switch remove", "pkg remove", "uninstall-all", "implode", "nuke", "prune", "cleanup -s" }, unless = TRIAL, also = function(cmd)
        return not (cmd.name == "zypper" and cmd:flag("-D")) and not (cmd.name == "gem" and cmd:flag("-i", "--install-dir"))
      end },
    reason = "{detail} takes programs of the machine away that others may need, and their settings with them.",
    advice = "Show what would go, and have the user agree.",
    suggestion = "apt-get -s remove nginx",
    blocked = { "sudo apt remove nginx", "apt-get purge -y nginx", "sudo dnf -y erase httpd", "apk del curl" },
    passes = { "apt list --installed", "sudo apt-get install -y nginx", "apt-get -s remove nginx", "flatpak list" },
  },
  {
    id = "services.remove-packages-option",
    severity = "medium",
    programs = { "dpkg", "rpm", "pacman", "yay", "paru", "nix-env", "nix-collect-garbage", "emerge", "xbps-remove", "pkg_delete", "pkgrm" },
    looks_at = "cmd:flag(): -r, -P, -e, -R",
    when = function(cmd)
      return removes_by_option(cmd) and true or nil
    end,
    reason = "This takes programs of the machine away that others may need.",
    advice = "Show what would go, and have the user agree.",
    suggestion = "pacman -Qi nginx",
    blocked = { "sudo pacman -Rns nginx", "dpkg --purge nginx", "rpm -e httpd", "nix-collect-garbage -d" },
    passes = { "pacman -Qs nginx", "dpkg -l nginx", "rpm -qa", "dpkg -i app.deb" },
  },
  {
    id = "services.install-as-root",
    severity = "medium",
    programs = { "make", "gmake", "ninja", "cmake", "meson", "checkinstall", "scons", "just", "rake" },
    looks_at = "cmd:operands() and cmd.via: install behind sudo",
    when = function(cmd)
      if not reached.as_admin(cmd) or cmd:flag("-n", "--dry-run", "--just-print", "--recon", "--help") then
        return nil
      elseif cmd.name == "checkinstall" or cmd.name == "cmake" and cmd:flag("--install") then
        return cmd.name
      end
      for _, target in ipairs(cmd:operands()) do
        if INSTALL:match(target) then
          return cmd.name .. " " .. target
        end
      end
      local target = cmd:flag("--target", "-t")
      return type(target) == "string" and re.match(target, "^(?:un)?install") and cmd.name == "cmake" and "cmake --target " .. target or nil
    end,
    reason = "{detail} as root writes files all over the machine, and none of them can be removed as a package.",
    advice = "Install into a folder of your own.",
    suggestion = "make install DESTDIR=./out",
    blocked = { "sudo make install", "sudo ninja -C build install", "sudo cmake --install build" },
    passes = { "make install DESTDIR=./out", "sudo make test", "cmake --install build --prefix out" },
  },
  {
    id = "services.firewall",
    severity = "medium",
    programs = { "iptables", "ip6tables", "iptables-legacy", "iptables-nft", "ufw", "nft", "firewall-cmd", "pfctl", "ipset", "iptables-restore", "netsh", "setenforce", "aa-teardown", "aa-disable", "aa-complain", "csf" },
    looks_at = "cmd:operands() and -F, -X, -P, -D",
    when = function(cmd)
      local o, name = cmd:operands(), cmd.name
      local words = table.concat(o, " ")
      if cmd:flag("--help", "--dry-run") or name == "nft" and cmd:flag("-c", "--check") then
        return nil
      elseif closes(cmd) then
        return closes(cmd)
      elseif name:find("tables", 1, true) then
        return (name == "iptables-restore" and not cmd:flag("-t", "--test") or cmd:flag("-F", "--flush", "-X", "--delete-chain", "-P", "--policy", "-D", "--delete", "-Z")) and name or nil
      elseif name == "pfctl" then
        return cmd:flag("-d", "-F") and name or nil
      elseif name == "setenforce" then
        return (o[1] == "0" or (o[1] or ""):lower() == "permissive") and "setenforce 0" or nil
      elseif name == "firewall-cmd" then
        return cmd:flag("--panic-on", "--complete-reload", "--remove-service", "--remove-port", "--delete-zone", "--reset-to-defaults", "--load-zone-defaults", "--remove-rich-rule", "--remove-source", "--remove-interface", "--set-default-zone") and name or nil
      elseif name == "csf" then
        return cmd:flag("-x", "-f", "--disable", "--stop") and name or nil
      elseif name == "aa-teardown" or name == "aa-disable" or name == "aa-complain" then
        return name
      end
      return OPENS:match(words) and name .. " " .. o[1] or nil
    end,
    always = function(cmd) -- what keeps the programs of this machine apart, or others away from it
      local all = cmd:flag("-F", "--flush") and #cmd:operands() == 0 and (cmd:flag("-t", "--table") or "filter") == "filter"
      return closes(cmd) or cmd.name == "setenforce" or cmd.name == "pfctl" or cmd.name == "aa-teardown" or cmd.name == "aa-disable" or cmd.name == "ufw" and (cmd:operands()[1] == "disable" or cmd:operands()[1] == "reset") or
        cmd.name == "nft" and cmd:operands()[1] == "flush" or cmd.name:find("tables$") and (all or cmd:flag("-P", "--policy"))
    end,
    reason = "{detail} changes who can reach this machine: it may become open to everybody, or closed to everybody.",
    advice = "Read the rules, and have the user change them.",
    suggestion = "ufw status",
    blocked = { "sudo iptables -F", "ufw disable", "nft flush ruleset", "sudo iptables -P INPUT DROP", "setenforce 0" },
    passes = { "iptables -L -n", "ufw status verbose", "nft list ruleset", "getenforce" },
  },
  {
    id = "services.network",
    severity = "medium",
    programs = { "ip", "ifconfig", "ifdown", "nmcli", "networksetup", "wg-quick", "tailscale", "hostnamectl", "timedatectl", "modprobe", "rmmod", "swapoff", "kextunload", "route", "brctl", "ovs-vsctl", "ovs-ofctl", "tc", "zerotier-cli", "netbird", "wg", "netplan", "dkms", "localectl", "insmod", "date", "sysctl", "scutil", "nvram", "csrutil", "spctl", "fdesetup", "exportfs", "umount", "hwclock" },
    looks_at = "cmd:operands()",
    when = function(cmd)
      local o, name = cmd:operands(), cmd.name
      local words = in_words(cmd)
      if cmd:flag("--help", "--dry-run") then
        return nil
      elseif SETS[name] then
        return SETS[name](cmd, o) and words or nil
      elseif name == "modprobe" then
        return cmd:flag("-r", "--remove") and words or nil
      end
      return CUTS:match(words) and words or nil
    end,
    always = function(cmd) -- the way to the machine, and what protects it
      local parent = cmd.parent
      if PROTECTS[cmd.name] then
        return PROTECTS[cmd.name]:match(table.concat(cmd.args, " "))
      end
      return not (parent and parent.name == "ip") and LEAVES:match(in_words(cmd))
    end,
    always_for = { "ip", "ifconfig", "ifdown", "nmcli", "route", "networksetup", "csrutil", "spctl", "fdesetup", "nvram" },
    reason = "This changes how the machine is connected or set up: {detail}.",
    advice = "Read how it is, and have the user change it.",
    suggestion = "ip addr show",
    blocked = { "sudo ip link set eth0 down", "ifconfig eth0 down", "ip route flush table main", "nmcli con delete home", "modprobe -r nvme" },
    passes = { "ip addr show", "ip -br link", "nmcli con show", "ifconfig eth0" },
  },
  {
    id = "services.own",
    severity = "medium",
    level = "strict",
    programs = { "systemctl", "service" },
    looks_at = "cmd:operands()",
    when = function(cmd)
      local o = cmd:operands()
      local word = cmd.name == "service" and o[2] or o[1] or ""
      return not cmd:flag("--help", "-h", "--dry-run") and re.match(word, "^(?:stop|start|restart|reload|enable|disable|kill|daemon-reload)$") and word or nil
    end,
    reason = "{detail} changes what this machine runs.",
    advice = "See how it is.",
    suggestion = "systemctl status nginx",
    blocked = { "systemctl --user restart app", "systemctl start nginx", "service nginx reload" },
    passes = { "systemctl status nginx", "systemctl cat nginx" },
  },
} }
