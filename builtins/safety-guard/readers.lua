-- Programs that take words, or read text, and run none of it; and a first check of what others may run (see
-- handed.lua for the second).

local readers = {}

-- One text: a table of so many names would be made for each state.
local NAMES = " "
  .. "echo printf cat tac tee head tail less more most bat grep egrep fgrep zgrep rg ag ack wc sort uniq cut tr rev nl fold fmt paste column comm join "
  .. "diff cmp md5sum sha1sum sha256sum sha512sum shasum cksum b2sum sum base64 base32 xxd hexdump od strings file stat ls ll dir tree du df basename "
  .. "dirname realpath readlink man info apropos whatis tldr help which type whereis command hash test [ [[ true false : export declare typeset local "
  .. "readonly alias unalias set unset read mapfile readarray let expr seq sleep yes jq yq mawk nawk sed gsed "
  .. "git gh glab hub hg svn jj curl wget http https mail mailx sendmail mutt msmtp write wall logger say notify-send osascript open xdg-open "
  .. "pbcopy xclip xsel wl-copy clip code vim vi nvim nano ed ex make gmake ninja cmake go cargo rustc npm npx pnpm yarn pip pip3 pipx uv poetry gem "
  .. "bundle composer brew apt apt-get apt-cache aptitude dpkg rpm dnf yum pacman apk zypper snap flatpak port docker podman nerdctl kubectl helm oc "
  .. "terraform tofu aws gcloud az psql mysql mariadb sqlite3 mongosh mongo redis-cli rm mv cp ln mkdir rmdir touch chmod chown chgrp find fd tar zip unzip "
  .. "gzip ps kill pkill killall pgrep cowsay figlet lolcat banner sponge ts ed patch gpg openssl ssh scp sftp rsync nc ncat iconv dos2unix crontab at "
  .. "expand unexpand pr split csplit shuf tsort numfmt factor bc dc zcat bzcat xzcat bzip2 xz zstd lz4 brotli look sha224sum sha384sum b3sum xxhsum xmllint "
  .. "pandoc mdcat glow batcat shellcheck shfmt prettier eslint biome ruff black isort clang-format gofmt goimports rustfmt stylua markdownlint vale aspell hunspell "
  .. "dd vipe vidir install uuencode uudecode recode pv mbuffer systemd-cat terminal-notifier gum dialog whiptail zenity fzf sk peco xsv csvcut mlr dasel gron fx xq "
  .. "tomlq htmlq hexyl delta difft icdiff colordiff diffstat wdiff spd-say espeak lp lpr enscript qrencode toilet boxes "
  .. "batch claude codex gemini cursor-agent aider opencode copilot llm luahook trash cd pushd popd dirs exit return wait jobs fg bg shift break continue umask ulimit source . eval exec trap xargs parallel env sudo doas "

readers.names = NAMES

local known, count = {}, 0

-- include reports whether a program is one of them.
function readers.include(name)
  local is = known[name]
  if is == nil then
    is = NAMES:find(" " .. name .. " ", 1, true) ~= nil
    if #name <= 40 and count < 1000 then -- the caller chooses the names, so the number is bounded
      known[name], count = is, count + 1
    end
  end
  return is
end

-- Words that begin a command which a program may run and which needs a closer look (see handed.lua).
local STARTS = " rm git find dd shred sh bash zsh dash ksh sudo chmod chown mkfs mkfs.ext4 wipefs unlink truncate mv -c -e -r --eval "
local starts -- the set of them

readers.starts = STARTS

-- Words that begin a command which is handed over as one word.
local LAUNCHES = { sudo = true, doas = true, env = true, sh = true, bash = true, zsh = true, dash = true, ksh = true }

-- may_run reports whether a program may run what it is handed: cmd, its name and its path.
function readers.may_run(cmd, name, written)
  if name and readers.include(name) and not written:find("/", 1, true) then
    return false
  end
  local only = cmd.args[1]
  if only and not cmd.args[2] and LAUNCHES[only:match("^(%l+) ") or ""] then
    return true
  end
  starts = starts or rules.set(STARTS)
  for i, word in ipairs(cmd.args) do
    if i > 4 then
      break
    elseif starts[word] or word:sub(1, 7) == "--eval=" then
      return true
    end
  end
  for _, redirect in ipairs(cmd.redirects) do
    if redirect.body ~= "" or redirect.op == "<<<" then
      return true
    end
  end
  return false
end

-- runs_another reports whether the model knows a command that cmd runs.
function readers.runs_another(commands, cmd)
  for _, other in ipairs(commands) do
    if other.parent == cmd and not (other.name_dynamic and other.path == "") then
      return true
    end
  end
  return false
end

return readers
