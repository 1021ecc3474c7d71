-- Permissions and owners: files that everybody may change, files that nobody can open any more, and changes to
-- whole trees outside the project.

local modes = require("modes")

local function recursive(cmd)
  return cmd:flag("-R", "--recursive")
end

local function dry(cmd)
  return cmd:flag("--help", "--version")
end

-- Whole folders of the machine where any such change is wrong; in others of its folders it depends on the files.
local WHOLE = patterns.later([[^/[^/]+(/(bin|sbin|lib|lib64|local|local/bin|share|ssh|ssl|sudoers\.d|lib/[^/]+|log|run|spool))?$]])

-- Folders in which people have their homes: in others of their kind are disks and data.
local OF_PEOPLE = { ["/home"] = true, ["/Users"] = true }

-- The first file of a command that is changed in one of these kinds of places.
local function changed_in(cmd, scene, places, whole)
  for _, file in ipairs(cmd:files()) do
    if file.access == "write" and not file.redirected then
      local place = scene:where(file)
      if place == "here" and path.clean(file.path) ~= scene.cwd then
        place = "system" -- a folder above
      end
      if place == "system" and scene.home and file.path ~= scene.home and path.inside(scene.home, file.path) then
        place = "outside" -- root's own
      end
      if place == "mount" and not OF_PEOPLE[path.clean((file.path:gsub("/%*$", "")))] then
        place = "other"
      end
      if places[place] and (place ~= "system" or (WHOLE:match(path.clean(file.path:gsub("/%*$", ""))) ~= false) == whole) then
        return file.path
      end
    end
  end
end

local NARROWS = patterns.later([[^-(i?name|i?path|i?regex|user|group|uid|gid|perm|newer.*|maxdepth|[amc](time|min)|size|empty|nouser|nogroup)$]])

-- The find that passes its files to a command, by itself or through xargs.
local function finder_of(cmd)
  local above = cmd.parent
  if above and (above.name == "xargs" or above.name == "parallel") then
    local from = above.input and above.input.from or {}
    above = #from == 1 and from[1] or nil
  end
  return above and above.name == "find" and above or nil
end

-- The whole tree that find passes to a command, file by file.
local function found_in(cmd, scene)
  local find = finder_of(cmd)
  if not find or dry(cmd) then
    return nil
  end
  for _, word in ipairs(find.args) do
    if NARROWS:match(word) then
      return nil
    end
  end
  for _, file in ipairs(find:files()) do
    local place = not file.redirected and scene:where(file)
    if place == "root" or place == "home" and cmd.name == "chmod" or place == "system" and WHOLE:match(path.clean(file.path)) then
      return file.path
    end
  end
end

-- A folder of disks and data that is changed as a whole, unless the line has made it.
local function changed_mount(cmd, scene)
  for _, file in ipairs(cmd:files("write")) do
    if not file.redirected and not OF_PEOPLE[file.path] and scene:where(file) == "mount" and not (not file.glob and require("earlier").made(cmd, file.path, scene)) then
      return file.path
    end
  end
end

local CHANGES = { "chmod", "chown", "chgrp", "setfacl", "chattr", "chcon", "chflags" }

local ROOT_CAPS = [[(^|,)(all|cap_(setuid|setgid|setpcap|sys_admin|sys_ptrace|sys_module|sys_rawio|dac_override|dac_read_search|chown|fowner|setfcap))([,=+]|$)|^=]]

local KEYS = patterns.later([[(^/etc/(g?shadow-?|sudoers|sudoers\.d/.*|ssh/ssh_host_[^/]*_key)$|/\.ssh/(id_[a-z0-9_]+|[^/]*\.pem|authorized_keys|config)$|/\.gnupg(/|$)|/\.ssh$)]])

-- The modes that some of them come with: they let a group read.
local SHIPPED = { { file = "^/etc/sudoers", mode = "^0*440$" }, { file = "^/etc/g?shadow", mode = "^0*640$" } }

local function as_shipped(file, mode)
  for _, usual in ipairs(SHIPPED) do
    if file:find(usual.file) and mode:find(usual.mode) then
      return true
    end
  end
  return false
end

return { class = "permissions", title = "Permissions and ownership", rules = {
  {
    id = "permissions.whole-tree",
    severity = "critical",
    programs = CHANGES,
    looks_at = "cmd: --recursive, and where its files are",
    when = function(cmd, scene)
      if recursive(cmd) and not dry(cmd) then
        return changed_in(cmd, scene, { root = true, mount = true, system = true, home = cmd.name == "chmod" }, true)
      end
      return found_in(cmd, scene)
    end,
    reason = "Changing permissions or owners of everything in {detail} breaks the machine, and the old ones are recorded nowhere.",
    advice = "Name the one file or folder of the project that needs it.",
    suggestion = "chmod -R u+rwX ./dist",
    blocked = { "chmod -R 755 /", "sudo chown -R kim:kim /usr", "chown -R --reference=/tmp/ref /", "chmod -R u+w ~", "cd / && chmod -R 700 .", "find / -exec chmod 000 {} +" },
    passes = { "chmod -R 755 ./dist", "chown -R kim ./build", "chmod --help /", "chmod 755 /tmp/x", "find /usr/local/bin -name '*.sh' -exec chmod +x {} +" },
  },
  {
    id = "permissions.system-tree",
    severity = "medium",
    programs = CHANGES,
    looks_at = "cmd: --recursive, and where its files are",
    when = function(cmd, scene)
      if recursive(cmd) and not dry(cmd) then
        return changed_in(cmd, scene, { system = true, home = true }, false)
          or cmd.name ~= "chmod" and changed_in(cmd, scene, { home = true }, true)
          or changed_mount(cmd, scene)
      end
    end,
    reason = "This changes permissions or owners of everything in {detail}, which isn't the project's.",
    advice = "Name the files that need it.",
    suggestion = "chown kim ./build",
    blocked = { "sudo chown -R www-data /var/www/shop", "chown -R kim ~", "chmod -R g+w /opt/shop" },
    passes = { "chmod +x /usr/local/bin/shop", "chown -R kim ./build", "sudo mkdir -p /data && sudo chown -R kim /data" },
  },
  {
    id = "permissions.open-tree",
    severity = "high",
    programs = { "chmod" },
    looks_at = "cmd: the mode, and --recursive",
    when = function(cmd)
      return recursive(cmd) and not dry(cmd) and modes.opens(cmd)
    end,
    reason = "chmod -R {detail} lets everybody on this machine change all of these files.",
    advice = "Give the owner what is missing, and nobody else.",
    suggestion = "chmod -R u+rwX ./dist",
    blocked = { "chmod -R 777 .", "chmod -R a+rwX build", "chmod --recursive 666 data" },
    passes = { "chmod -R 755 ./dist", "chmod -R go-w .", "chmod -R u+rwX,go-w build" },
  },
  {
    id = "permissions.lock-out",
    severity = "high",
    programs = { "chmod" },
    looks_at = "cmd: the mode, and --recursive",
    when = function(cmd)
      return recursive(cmd) and not dry(cmd) and modes.locks(cmd)
    end,
    reason = "chmod -R {detail} takes all of these files away from their owner, too.",
    advice = "Take away only what the others don't need.",
    suggestion = "chmod -R go-rwx ./private",
    blocked = { "chmod -R 000 build", "chmod -R a-rwx src", "chmod -R u= src" },
    passes = { "chmod 000 fixture.txt", "chmod -R go-rwx private", "chmod -R a-w vendor" },
  },
  {
    id = "permissions.open",
    severity = "medium",
    programs = { "chmod", "mkdir", "install" },
    looks_at = "cmd: the mode",
    when = function(cmd)
      return not dry(cmd) and modes.opens(cmd)
    end,
    reason = "Mode {detail} lets everybody on this machine change the file.",
    advice = "chmod 755 and chmod 644 let everybody read it, and u+w the owner write.",
    suggestion = "chmod 755 script.sh",
    blocked = { "chmod 777 script.sh", "chmod o+w data", "chmod a+rwx a b", "chmod 0666 notes.txt", "mkdir -m 777 shared" },
    passes = { "chmod 755 script.sh", "chmod +x script.sh", "chmod go-w notes.txt", "chmod 1777 scratch", "chmod u+w,o-w f" },
  },
  {
    id = "permissions.umask",
    severity = "medium",
    programs = { "umask" },
    looks_at = "cmd.args: a mask that takes nothing away",
    when = function(cmd)
      return re.match(cmd.args[1] or "", "^0+$") and cmd.args[1]
    end,
    reason = "umask {detail} lets everybody on this machine change what is made from now on.",
    advice = "022 keeps new files for their owner to change.",
    suggestion = "umask 022",
    blocked = { "umask 000", "umask 0 && make install" },
    passes = { "umask 022", "umask", "umask 077", "umask -S" },
  },
  {
    id = "permissions.setuid",
    severity = "medium",
    programs = { "chmod", "install", "setcap" },
    looks_at = "cmd: the mode; capabilities that are as good as being root",
    when = function(cmd)
      if cmd.name == "setcap" then
        return not cmd:flag("-r", "-v") and re.match(cmd:operands()[1] or "", ROOT_CAPS) and "The capability " .. cmd:operands()[1]
      end
      local mode = not dry(cmd) and modes.setuid(cmd)
      return mode and "Mode " .. mode
    end,
    reason = "{detail} lets everybody who runs the file do what its owner may.",
    advice = "Ask the user whether this must be.",
    suggestion = "chmod 755 tool",
    blocked = { "sudo chmod u+s /usr/local/bin/tool", "chmod 4755 tool", "chmod +s tool", "setcap cap_setuid+ep tool" },
    passes = { "setcap cap_net_bind_service=+ep server", "chmod g+s shared", "chmod u-s tool", "chmod 2775 shared" },
  },
  {
    id = "permissions.unknown-mode",
    severity = "medium",
    programs = { "chmod" },
    looks_at = "cmd.words: a mode that isn't known",
    when = function(cmd)
      for _, word in ipairs(cmd.words) do
        if word.dynamic then
          return cmd:flag("--reference") == false and word.text
        elseif word.text:sub(1, 1) ~= "-" then
          return nil
        end
      end
    end,
    reason = "The permissions that {detail} stands for can't be known before it runs.",
    advice = "Write the mode out.",
    suggestion = "chmod 644 notes.txt",
    blocked = { "chmod $(cat perms.txt) notes.txt", 'chmod "$MODE" notes.txt' },
    passes = { 'chmod +x "$FILE"', "M=644; chmod $M notes.txt" },
  },
  {
    id = "permissions.keys",
    severity = "medium",
    programs = { "chmod", "chown", "chgrp", "setfacl" },
    looks_at = "cmd: files of keys and passwords, and a mode for more than their owner",
    when = function(cmd)
      if dry(cmd) then
        return nil
      end
      local opened = cmd.name == "chmod" and modes.any(cmd, function(_, mode)
        return not mode:find("00$") and mode:sub(1, 1) ~= "-"
      end, function(c)
        return c.op ~= "-" and c.who:find("[goa]") and c.what ~= ""
      end)
      if cmd.name == "chmod" and not opened then
        return nil
      end
      for _, file in ipairs(cmd:files()) do
        if file.access == "write" and not file.redirected and KEYS:match(file.path) and not (opened and as_shipped(file.path, opened)) then
          return file.path
        end
      end
    end,
    reason = "{detail} is for its owner alone; if others have access, programs refuse it or everybody can read it.",
    advice = "Keep it to its owner.",
    suggestion = "chmod 600 ~/.ssh/id_ed25519",
    blocked = { "chmod 644 ~/.ssh/id_rsa", "sudo chmod o+r /etc/shadow", "sudo chown kim /etc/sudoers" },
    passes = { "chmod 600 ~/.ssh/id_rsa", "chmod 700 ~/.ssh", "chmod go-rwx ~/.ssh/config", "chmod 644 ./id_rsa.pub", "chmod 0440 /etc/sudoers.d/dev" },
  },
  {
    id = "permissions.to-root",
    severity = "medium",
    programs = { "chown" },
    looks_at = "cmd: --recursive with root as the owner",
    when = function(cmd)
      local owner = cmd:operands()[1] or ""
      return recursive(cmd) and not dry(cmd) and not cmd:flag("--reference") and re.match(owner, "^(root|0)([:.]|$)") and owner
    end,
    reason = "chown -R {detail} gives all of these files to root, and takes them from those who work with them.",
    advice = "Name the files that root must own, or ask the user.",
    suggestion = "chown -R kim ./build",
    blocked = { "sudo chown -R root:root .", "chown -R root build" },
    passes = { "chown -R kim:root build", "chown root notes.txt" },
  },
  {
    id = "permissions.attributes",
    severity = "medium",
    programs = { "chattr", "chflags" },
    looks_at = "cmd.args: attributes that lock and unlock files, and where these are",
    when = function(cmd, scene)
      local sets = false
      for _, word in ipairs(cmd.args) do
        sets = sets or re.match(word, cmd.name == "chattr" and "^[-+=][A-Za-z]*[iau]" or "^(no)?(s|u)(chg|appnd|change|immutable|append)")
      end
      return sets and not recursive(cmd) and (changed_in(cmd, scene, { root = true, system = true }, true) or changed_in(cmd, scene, { system = true }, false))
    end,
    reason = "Whoever locked {detail} against changes, or relies on changing it, did so for the whole machine.",
    advice = "Leave it as it is, or ask the user.",
    suggestion = "lsattr /etc/passwd",
    blocked = { "sudo chattr -i /etc/passwd", "chattr +i /etc/resolv.conf" },
    passes = { "lsattr /etc/passwd", "chattr +C build", "chattr +i fixture" },
  },
  {
    id = "permissions.locked-system",
    severity = "medium",
    programs = { "chmod" },
    looks_at = "cmd: a mode that takes reading or running away, and where its files are",
    when = function(cmd, scene)
      local takes = modes.locks(cmd) or modes.any(cmd, function()
        return false
      end, function(c)
        return c.op == "-" and c.what:find("x")
      end)
      return takes and not dry(cmd) and (changed_in(cmd, scene, { root = true, system = true }, true) or changed_in(cmd, scene, { system = true }, false))
    end,
    reason = "Programs of the machine need {detail}.",
    advice = "Leave its mode as it is.",
    suggestion = "stat /etc/passwd",
    blocked = { "sudo chmod 000 /etc/passwd", "chmod -x /bin/ls" },
    passes = { "chmod 000 fixture", "sudo chmod +x /usr/local/bin/shop", "chmod -x script.sh" },
  },
} }
