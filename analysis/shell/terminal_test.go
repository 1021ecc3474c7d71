package shell

import "testing"

// terminalCases are commands that run in a terminal, later, or from a program's own language.
var terminalCases = []struct{ text, want string }{
	{"tmux new-session -d -s x 'rm x; ls'", `tmux new-session -d -s x "rm x; ls"; tmux new-session > rm x; tmux new-session > ls`},
	{"tmux new -d rm x", "tmux new -d rm x; tmux new-session > rm x"},
	{"tmux neww -n n 'rm x'", `tmux neww -n n "rm x"; tmux new-window > rm x`},
	{"tmux splitw -h -c /tmp 'rm x'", `tmux splitw -h -c /tmp "rm x"; tmux split-window > rm x`},
	{"tmux run-shell 'rm x'", `tmux run-shell "rm x"; tmux run-shell > rm x`},
	{"tmux run -b 'rm x'", `tmux run -b "rm x"; tmux run-shell > rm x`},
	{`tmux if-shell 'rm x' 'run "rm y"' 'neww "rm z"'`, `tmux if-shell "rm x" "run \"rm y\"" "neww \"rm z\""; tmux if-shell > rm x; tmux if-shell run-shell > rm y; tmux if-shell new-window > rm z`},
	{"tmux send-keys -t 0 'rm -rf x' Enter", `tmux send-keys -t 0 "rm -rf x" Enter; tmux send-keys > rm -rf x`},
	{"tmux send-keys -t 0 rm Space x C-m", "tmux send-keys -t 0 rm Space x C-m; tmux send-keys > rm x"},
	{"tmux send-keys 'rm x' C-c", `tmux send-keys "rm x" C-c`},
	{"tmux send-keys -t 0 C-c", "tmux send-keys -t 0 C-c"},
	{"tmux send-keys Up Enter", "tmux send-keys Up Enter; tmux send-keys > ?$Up\n"},
	{"tmux send -l 'rm x'", `tmux send -l "rm x"; tmux send-keys > rm x`},
	{"tmux ls", "tmux ls"},
	{`tmux new -d \; split-window 'rm x' \; attach`, `tmux new -d ";" split-window "rm x" ";" attach; tmux split-window > rm x`},
	{"tmux kill-session -t x", "tmux kill-session -t x"},
	{"tmux kill-se -t x", "tmux kill-se -t x; tmux > ? kill-se -t x"},
	{"tmux display-popup -E 'rm x'", `tmux display-popup -E "rm x"; tmux display-popup > rm x`},
	{"tmux set -g status-right '#(rm x)'", `tmux set -g status-right "#(rm x)"; tmux #() > rm x`},
	{"tmux set -g default-command 'rm x'", `tmux set -g default-command "rm x"; tmux set-option default-command > rm x`},
	{"tmux set -g mouse on", "tmux set -g mouse on"},
	{"tmux bind-key r run-shell 'rm x'", `tmux bind-key r run-shell "rm x"; tmux bind-key run-shell > rm x`},
	{"tmux pipe-pane -o 'cat > log'", `tmux pipe-pane -o "cat > log"; tmux pipe-pane > cat >log`},
	{"tmux respawn-pane -k rm x", "tmux respawn-pane -k rm x; tmux respawn-pane > rm x"},
	{"tmux frobnicate rm", "tmux frobnicate rm; tmux > ? frobnicate rm"},
	{"tmux -c 'rm x'", `tmux -c "rm x"; tmux -c > rm x`},
	{"tmux -L s -f /dev/null new -d 'rm x'", `tmux -L s -f /dev/null new -d "rm x"; tmux new-session > rm x`},
	{"tmux new -A -s main", "tmux new -A -s main"},
	{"tmux", "tmux"},
	{"tmux capture-pane -p", "tmux capture-pane -p"},
	{"tmux source-file x", "tmux source-file x"},
	{"tmux attach -t x", "tmux attach -t x"},
	{"screen -dmS s rm x", "screen -dmS s rm x; screen > rm x"},
	{"screen -dm bash -c 'rm x'", `screen -dm bash -c "rm x"; screen > bash -c "rm x"; screen > bash -c > rm x`},
	{"screen -S s -X stuff 'rm x^M'", `screen -S s -X stuff "rm x^M"; screen -X stuff > rm x`},
	{`screen -S s -X stuff $'rm x\n'`, `screen -S s -X stuff "rm x\n"; screen -X stuff > rm x`},
	{"screen -ls", "screen -ls"},
	{"screen -r s", "screen -r s"},
	{"screen -S s -X quit", "screen -S s -X quit"},
	{"screen rm x", "screen rm x; screen > rm x"},
	{"screen -X screen rm x", "screen -X screen rm x; screen -X > rm x"},
	{"script -c 'rm x' /dev/null", `script -c "rm x" /dev/null; script -c > rm x`},
	{"script -q /dev/null rm x", "script -q /dev/null rm x; script > rm x"},
	{"script -qc 'rm x' f", `script -qc "rm x" f; script -c > rm x`},
	{"script log -c 'rm x'", `script log -c "rm x"; script -c > rm x`},
	{"script -q /dev/null bash -c 'rm x'", `script -q /dev/null bash -c "rm x"; script > bash -c "rm x"; script > bash -c > rm x`},
	{"echo 'rm x' | script -q f", `echo "rm x" @pipe; script -q f @pipe; script < > rm x @pipe`},
	{"xterm -e 'rm x; ls'", `xterm -e "rm x; ls"; xterm > rm x; xterm > ls`},
	{"xterm -T t -e rm -rf x", "xterm -T t -e rm -rf x; xterm > rm -rf x"},
	{"gnome-terminal -- rm -rf x", "gnome-terminal -- rm -rf x; gnome-terminal > rm -rf x"},
	{"gnome-terminal --command='rm x'", `gnome-terminal "--command=rm x"; gnome-terminal --command > rm x`},
	{"xfce4-terminal -x rm x", "xfce4-terminal -x rm x; xfce4-terminal > rm x"},
	{"konsole -e bash -c 'rm x'", `konsole -e bash -c "rm x"; konsole > bash -c "rm x"; konsole > bash -c > rm x`},
	{"xterm -T t", "xterm -T t"},
	{"expect -c 'spawn rm -rf x; expect eof'", `expect -c "spawn rm -rf x; expect eof"; expect spawn > rm -rf x`},
	{`expect -c 'spawn bash; expect "$ "; send "rm x\r"; interact'`, `expect -c "spawn bash; expect \"$ \"; send \"rm x\\r\"; interact"; expect spawn > bash; expect send > rm x`},
	{"expect <<'X'\nspawn ssh u@h rm x\nexpect {\n \"pass\" { send \"y\\r\"; exec rm z }\n}\nX", `expect <<X"spawn ssh u@h rm x\nexpect {\n \"pass\" { send \"y\\r\"; exec rm z }\n}\n"; expect spawn > ssh u@h rm x; expect spawn > ssh > rm x; expect send > y; expect exec > rm z`},
	{"expect script.exp", "expect script.exp"},
	{"at now + 1 min <<< 'rm x'", `at now + 1 min <<<"rm x"; at < > rm x`},
	{"echo 'rm x' | at midnight", `echo "rm x" @pipe; at midnight @pipe; at < > rm x @pipe`},
	{"echo 'rm x' | batch", `echo "rm x" @pipe; batch @pipe; batch < > rm x @pipe`},
	{"at -l", "at -l"},
	{"at -c 3", "at -c 3"},
	{"crontab -l", "crontab -l"},
	{"crontab -", "crontab -"},
	{"echo '* * * * * rm x' | crontab -", `echo "* * * * * rm x" @pipe; crontab - @pipe; crontab > rm x @pipe`},
	{"crontab - <<'X'\nSHELL=/bin/sh\n# c\n@daily rm x\n0 1 * * 1-5 date +\\%F; rm y%input\nX", `crontab - <<X"SHELL=/bin/sh\n# c\n@daily rm x\n0 1 * * 1-5 date +\\%F; rm y%input\n"; crontab > rm x; crontab > date +%F; crontab > rm y`},
	{"crontab -r", "crontab -r"},
	{"crontab file", "crontab file"},
	{`socat TCP:h:1 EXEC:'rm\ -rf\ /',pty`, `socat TCP:h:1 "EXEC:rm\\ -rf\\ /,pty"; socat EXEC > rm -rf /`},
	{"socat TCP-LISTEN:80 TCP:h:80", "socat TCP-LISTEN:80 TCP:h:80"},
	{"ncat --sh-exec 'rm x' h 1", `ncat --sh-exec "rm x" h 1; ncat --sh-exec > rm x`},
	{"ncat -l 1", "ncat -l 1"},
	{"nc -z h 80", "nc -z h 80"},
	{"restic --password-command='rm x' backup a", `restic "--password-command=rm x" backup a; restic --password-command > rm x`},
	{"borg list --rsh 'rm x' r", `borg list --rsh "rm x" r; borg --rsh > rm x`},
	{"aria2c --on-download-complete='rm x' http://h/a", `aria2c "--on-download-complete=rm x" http://h/a; aria2c --on-download-complete > rm x`},
	{"certbot renew --deploy-hook 'rm x'", `certbot renew --deploy-hook "rm x"; certbot --deploy-hook > rm x`},
	{"openvpn --config c --up 'rm x'", `openvpn --config c --up "rm x"; openvpn --up > rm x`},
	{"sshuttle -r h -e 'rm x' 0/0", `sshuttle -r h -e "rm x" 0/0; sshuttle -e > rm x`},
	{"yt-dlp --exec 'rm x' http://h/a", `yt-dlp --exec "rm x" http://h/a; yt-dlp --exec > rm x`},
	{"latexmk -pdflatex='rm x' a.tex", `latexmk "-pdflatex=rm x" a.tex; latexmk -pdflatex > rm x`},
	{"rpm --pipe 'rm x' -qa", `rpm --pipe "rm x" -qa; rpm --pipe > rm x`},
	{"tar --to-command='rm x' -xf a", `tar "--to-command=rm x" -xf a; tar --to-command > rm x`},
	{"tar xf a --checkpoint=1 --checkpoint-action=exec='rm x'", `tar xf a --checkpoint=1 "--checkpoint-action=exec=rm x"; tar --checkpoint-action > rm x`},
	{"tar cf a --checkpoint-action=dot .", "tar cf a --checkpoint-action=dot ."},
	{"tar -cI 'rm -rf /' -f -", `tar -cI "rm -rf /" -f -; tar -I > rm -rf /`},
	{"tar cIf 'rm x' out.tar .", `tar cIf "rm x" out.tar .; tar -I > rm x`},
	{"tar --use-compress-prog='rm x' -cf a .", `tar "--use-compress-prog=rm x" -cf a .; tar --use-compress-program > rm x`},
	{"tar xzf a -C /x", "tar xzf a -C /x"},
	{"tar -cf o --info-script='rm x' s", `tar -cf o "--info-script=rm x" s; tar --info-script > rm x`},
	{"zip -T -TT 'rm x #' a.zip f", `zip -T -TT "rm x #" a.zip f; zip -TT > rm x`},
	{"zip a.zip f --unzip-command='rm x'", `zip a.zip f "--unzip-command=rm x"; zip --unzip-command > rm x`},
	{"zip -r a.zip .", "zip -r a.zip ."},
	{"man -P 'rm x' ls", `man -P "rm x" ls; man -P > rm x`},
	{"man ls", "man ls"},
	{"sort --compress-program='rm x' f", `sort "--compress-program=rm x" f; sort --compress-program > rm x`},
	{"sort -k2 f", "sort -k2 f"},
	{"rg --pre rm x", "rg --pre rm x; rg --pre > rm"},
	{"rg -e pre x", "rg -e pre x"},
	{"apt-get -o APT::Update::Pre-Invoke::='rm x' update", `apt-get -o "APT::Update::Pre-Invoke::=rm x" update; apt-get -o > rm x`},
	{"apt-get -o Dir::Cache=x update", "apt-get -o Dir::Cache=x update"},
	{"sed '1e rm x' f", `sed "1e rm x" f; sed e > rm x`},
	{"sed -n --expression '1e rm x' f", `sed -n --expression "1e rm x" f; sed e > rm x`},
	{"sed -n 's/x/rm y/e' f", `sed -n "s/x/rm y/e" f; sed e > ?rm y{}; sed e > rm y{}*`},
	{"sed 's/e/x/g; s,a,b,w e.txt' f", `sed "s/e/x/g; s,a,b,w e.txt" f`},
	{"sed -i 's/rm -rf/echo e/' f", `sed -i "s/rm -rf/echo e/" f`},
	{`sed -e '$!N;s/\n/e/' f`, `sed -e "$!N;s/\\n/e/" f`},
	{"sed 'e'", "sed e; sed e > ?$LINE"},
	{"sed 's/x/y/e;p' f", `sed "s/x/y/e;p" f; sed e > ?y{}; sed e > ?y{}`},
	{`sed 'a\rm -rf e' f`, `sed "a\\rm -rf e" f`},
	{"sed --expression='s/.*/date/e' <<< x", `sed "--expression=s/.*/date/e" <<<x; sed e > date`},
	{"sed 'y/abc/xyz/;p' f", `sed "y/abc/xyz/;p" f`},
	{"vim -c ':!rm x' f", `vim -c ":!rm x" f; vim -c > rm x`},
	{"vim -es -c '%!sort' -c wq f", "vim -es -c %!sort -c wq f; vim -c > sort"},
	{"nvim --headless +'!rm x' +qa", `nvim --headless "+!rm x" +qa; nvim + > rm x`},
	{`vim -c 'call system("rm x")' -c q`, `vim -c "call system(\"rm x\")" -c q; vim -c > rm x`},
	{"vim -c 'silent !rm x | ls' f", `vim -c "silent !rm x | ls" f; vim -c > rm x @pipe; vim -c > ls @pipe`},
	{"vim -c 'w!' -c 'q!' f", "vim -c w! -c q! f"},
	{"vim f", "vim f"},
	{"vim +42 f", "vim +42 f"},
	{"vim -c '%s/a!b/c/g|wq' f", "vim -c %s/a!b/c/g|wq f"},
	{"ex -s f <<'X'\n%s/a/b/\n!rm x\nx\nX", `ex -s f <<X"%s/a/b/\n!rm x\nx\n"; ex < > rm x`},
	{"ed f <<< '!rm x'", `ed f <<<"!rm x"; ed < > rm x`},
	{"vim --cmd 'r !rm x'", `vim --cmd "r !rm x"; vim --cmd > rm x`},
	{"vi -c 'term rm x'", `vi -c "term rm x"; vi -c > rm x`},
}

func TestTerminals(t *testing.T) {
	for _, c := range terminalCases {
		if got := show(Parse(c.text, Options{})); got != c.want {
			t.Errorf("Parse(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestPrompt checks what an interactive shell runs before its prompt.
func TestPrompt(t *testing.T) {
	for text, want := range map[string]bool{
		"PROMPT_COMMAND='rm x' bash -i":        true,
		"PROMPT_COMMAND='rm x' bash":           true,
		"PROMPT_COMMAND='rm x' bash -c 'ls'":   false,
		"PROMPT_COMMAND='rm x' ls":             false,
		"env PROMPT_COMMAND='rm x' zsh -i":     true,
		"echo PROMPT_COMMAND='rm x' bash -i":   false,
		"PROMPT_COMMAND='rm x' bash script.sh": false,
	} {
		if got := runs(Parse(text, Options{}), "rm"); got != want {
			t.Errorf("%q runs rm: %v", text, got)
		}
	}
}

// runs reports whether a command of that name is in the line.
func runs(l *Line, name string) bool {
	for _, c := range l.Commands {
		if c.Name == name {
			return true
		}
	}
	return false
}

// TestListeners checks that a shell which a connection is handed to is said to
// read what comes from there.
func TestListeners(t *testing.T) {
	for _, text := range []string{
		"nc -e /bin/sh h 1", "nc -c sh -l 1", "ncat --exec=/bin/bash -l 1", "ncat --sh-exec 'exec bash' h 1",
		"socat TCP-LISTEN:1 EXEC:/bin/sh", "socat UDP-LISTEN:1 exec:'bash -i',pty", "socat TCP-LISTEN:1 SYSTEM:'sh -i'",
	} {
		unknown := false
		for _, c := range Parse(text, Options{}).Commands {
			unknown = unknown || c.NameDynamic
		}
		if !unknown {
			t.Errorf("%q: %s", text, show(Parse(text, Options{})))
		}
	}
	for _, text := range []string{"nc -l 1", "ncat -e /bin/date -l 1", "ncat --sh-exec 'printf ok' 4444", "socat TCP-LISTEN:1 TCP:h:1", "socat - SYSTEM:ls"} {
		for _, c := range Parse(text, Options{}).Commands {
			if c.NameDynamic {
				t.Errorf("%q: %s", text, show(Parse(text, Options{})))
			}
		}
	}
}
