package shell

import (
	"slices"
	"strings"
	"testing"
)

// accountCases are programs that run their words as somebody else, with other resources or under watch.
var accountCases = []struct{ text, want string }{
	{"doas rm x", "doas rm x; doas > rm x"},
	{"su root -- -c 'rm x'", `su root -- -c "rm x"; su > sh -c "rm x"; su > sh -c > rm x`},
	{"su - u -c 'rm x'", `su - u -c "rm x"; su -c > rm x`},
	{"su u script.sh", "su u script.sh; su > sh script.sh"},
	{"su -s /bin/zsh u -- -c 'rm x'", `su -s /bin/zsh u -- -c "rm x"; su > zsh -c "rm x"; su > zsh -c > rm x`},
	{"echo 'rm x' | su", `echo "rm x" @pipe; su @pipe; su < > rm x @pipe`},
	{"runuser -u u -- rm x", "runuser -u u -- rm x; runuser > rm x"},
	{"runuser -u u rm -rf x", "runuser -u u rm -rf x; runuser > rm -rf x"},
	{"runuser u -c 'rm x'", `runuser u -c "rm x"; runuser -c > rm x`},
	{"runuser -l u -c 'rm x'", `runuser -l u -c "rm x"; runuser -c > rm x`},
	{"echo 'rm x' | sudo -s", `echo "rm x" @pipe; sudo -s @pipe; sudo < > rm x @pipe`},
	{"sudo -D /tmp rm x", "sudo -D /tmp rm x; sudo > rm x"},
	{"sudo -l", "sudo -l"},
	{"sudo -k", "sudo -k"},
	{"pkexec --user root rm x", "pkexec --user root rm x; pkexec > rm x"},
	{"gosu root rm x", "gosu root rm x; gosu > rm x"},
	{"su-exec root:root rm x", "su-exec root:root rm x; su-exec > rm x"},
	{"sg docker -c 'rm x'", `sg docker -c "rm x"; sg -c > rm x`},
	{"sg docker 'rm x'", `sg docker "rm x"; sg > rm x`},
	{"command -pvV -- rm", "command -pvV -- rm"},
	{"command -V rm", "command -V rm"},
	{"env -S 'rm -rf' x", `env -S "rm -rf" x; env > rm -rf x`},
	{"env -C /tmp -u A -i X=1 rm x", "env -C /tmp -u A -i X=1 rm x; env > X=1 rm x"},
	{"nice -5 -- rm x", "nice -5 -- rm x; nice > rm x"},
	{"chrt -r 10 rm x", "chrt -r 10 rm x; chrt > rm x"},
	{"chrt -i rm x", "chrt -i rm x; chrt > rm x"},
	{"chrt -p 10 123", "chrt -p 10 123"},
	{"taskset -c 0,1 rm x", "taskset -c 0,1 rm x; taskset > rm x"},
	{"taskset 0x3 rm x", "taskset 0x3 rm x; taskset > rm x"},
	{"taskset -p 123", "taskset -p 123"},
	{"cpulimit -l 50 rm x", "cpulimit -l 50 rm x; cpulimit > rm x"},
	{"cpulimit -p 12 -l 50", "cpulimit -p 12 -l 50"},
	{"cpulimit -l 50 -- rm x", "cpulimit -l 50 -- rm x; cpulimit > rm x"},
	{"prlimit --nofile=10:10 rm x", "prlimit --nofile=10:10 rm x; prlimit > rm x"},
	{"prlimit -n10 rm x", "prlimit -n10 rm x; prlimit > rm x"},
	{"prlimit --pid 1 --nofile", "prlimit --pid 1 --nofile"},
	{"choom -n 500 -- rm x", "choom -n 500 -- rm x; choom > rm x"},
	{"choom -p 1", "choom -p 1"},
	{"timeout --help", "timeout --help"},
	{"flock 9", "flock 9"},
	{"flock -u 9", "flock -u 9"},
	{"flock /tmp/l rm x", "flock /tmp/l rm x; flock > rm x"},
	{"flock /tmp/l -c 'rm x'", `flock /tmp/l -c "rm x"; flock -c > rm x`},
	{"strace -f -o '|rm x' ls", `strace -f -o "|rm x" ls; strace -o > rm x; strace > ls`},
	{"strace -E A=1 rm x", "strace -E A=1 rm x; strace > A=1 rm x"},
	{"strace -p 1", "strace -p 1"},
	{"ltrace -f rm x", "ltrace -f rm x; ltrace > rm x"},
	{"gdb --args rm x", "gdb --args rm x; gdb > rm x"},
	{"gdb -batch -ex 'shell rm x' prog", `gdb -batch -ex "shell rm x" prog; gdb -ex > rm x`},
	{"valgrind --leak-check=full rm x", "valgrind --leak-check=full rm x; valgrind > rm x"},
	{"perf stat -e cycles -r 5 rm x", "perf stat -e cycles -r 5 rm x; perf stat > rm x"},
	{"perf stat -- rm x", "perf stat -- rm x; perf stat > rm x"},
	{"perf stat record -o f rm x", "perf stat record -o f rm x; perf stat > rm x"},
	{"perf record -g -F 99 rm x", "perf record -g -F 99 rm x; perf record > rm x"},
	{"perf report", "perf report"},
	{"perf mem record rm x", "perf mem record rm x; perf mem record > rm x"},
	{"perf stat --pre 'rm x' ls", `perf stat --pre "rm x" ls; perf stat --pre > rm x; perf stat > ls`},
	{"unshare -r -m rm x", "unshare -r -m rm x; unshare > rm x"},
	{"curl x | unshare -r", "curl x @pipe; unshare -r @pipe; unshare < > ? @pipe"},
	{"nsenter -t 1 -a rm x", "nsenter -t 1 -a rm x; nsenter > rm x"},
	{"nsenter --target 1 --mount -- rm x", "nsenter --target 1 --mount -- rm x; nsenter > rm x"},
	{"bwrap --ro-bind / / --dev /dev rm x", "bwrap --ro-bind / / --dev /dev rm x; bwrap > rm x"},
	{"bwrap --bind / / --unshare-all -- sh -c 'rm x'", `bwrap --bind / / --unshare-all -- sh -c "rm x"; bwrap > sh -c "rm x"; bwrap > sh -c > rm x`},
	{"firejail --net=none rm x", "firejail --net=none rm x; firejail > rm x"},
	{"firejail --list", "firejail --list"},
	{"chroot --userspec=u /mnt rm x", "chroot --userspec=u /mnt rm x; chroot > rm x"},
	{"setpriv --reuid=1000 --clear-groups rm x", "setpriv --reuid=1000 --clear-groups rm x; setpriv > rm x"},
	{"setpriv --dump", "setpriv --dump"},
	{"capsh --drop=all -- -c 'rm x'", `capsh --drop=all -- -c "rm x"; capsh > bash -c "rm x"; capsh > bash -c > rm x`},
	{"capsh --print", "capsh --print"},
	{"systemd-run --user --unit=x -p A=b -d rm x", "systemd-run --user --unit=x -p A=b -d rm x; systemd-run > rm x"},
	{"systemd-run -H host rm x", "systemd-run -H host rm x; systemd-run > rm x"},
	{"systemd-inhibit --why=x rm x", "systemd-inhibit --why=x rm x; systemd-inhibit > rm x"},
	{"systemd-inhibit --list", "systemd-inhibit --list"},
	{"start-stop-daemon --start --exec /bin/rm -- -rf x", "start-stop-daemon --start --exec /bin/rm -- -rf x; start-stop-daemon > rm -rf x"},
	{"start-stop-daemon -S -x /bin/sh -- -c 'rm x'", `start-stop-daemon -S -x /bin/sh -- -c "rm x"; start-stop-daemon > sh -c "rm x"; start-stop-daemon > sh -c > rm x`},
	{"start-stop-daemon --stop --exec /bin/rm", "start-stop-daemon --stop --exec /bin/rm"},
	{"busybox", "busybox"},
	{"busybox find . -delete", "busybox find . -delete; busybox > find . -delete; busybox > find -delete > rm -rf ."},
	{"toybox rm x", "toybox rm x; toybox > rm x"},
	{"arch -x86_64 rm x", "arch -x86_64 rm x; arch > rm x"},
	{"arch", "arch"},
	{"xcrun --sdk macosx rm x", "xcrun --sdk macosx rm x; xcrun > rm x"},
	{"xcrun --find clang", "xcrun --find clang"},
	{"setarch x86_64 -R rm x", "setarch x86_64 -R rm x; setarch > rm x"},
	{"setarch -R rm x", "setarch -R rm x; setarch > rm x"},
	{"linux32 rm x", "linux32 rm x; linux32 > rm x"},
	{"caffeinate -i rm x", "caffeinate -i rm x; caffeinate > rm x"},
	{"torsocks rm x", "torsocks rm x; torsocks > rm x"},
	{"proxychains4 -q rm x", "proxychains4 -q rm x; proxychains4 > rm x"},
	{"faketime '1 day ago' rm x", `faketime "1 day ago" rm x; faketime > rm x`},
	{"unbuffer rm x", "unbuffer rm x; unbuffer > rm x"},
	{"rlwrap -a rm x", "rlwrap -a rm x; rlwrap > rm x"},
	{"xvfb-run -a rm x", "xvfb-run -a rm x; xvfb-run > rm x"},
	{"numactl -N 0 rm x", "numactl -N 0 rm x; numactl > rm x"},
	{"runcon -t x rm y", "runcon -t x rm y; runcon > rm y"},
	{"runcon a:b:c rm y", "runcon a:b:c rm y; runcon > rm y"},
	{"ssh-agent rm x", "ssh-agent rm x; ssh-agent > rm x"},
	{"ssh-agent -k", "ssh-agent -k"},
	{"sshpass -p x ssh h rm y", "sshpass -p x ssh h rm y; sshpass > ssh h rm y; sshpass > ssh > rm y"},
	{"chronic rm x", "chronic rm x; chronic > rm x"},
	{"stdbuf -oL rm x", "stdbuf -oL rm x; stdbuf > rm x"},
	{"watch -d -n1 'rm x'", `watch -d -n1 "rm x"; watch > rm x`},
	{"watch --exec rm x", "watch --exec rm x; watch > rm x"},
	{"watchexec -e js -- rm x", "watchexec -e js -- rm x; watchexec > rm x"},
	{"watchexec -n -- rm x", "watchexec -n -- rm x; watchexec > rm x"},
	{"entr -r rm /_", "entr -r rm /_; entr > rm /_*"},
	{"ls | entr -s 'rm x'", `ls @pipe; entr -s "rm x" @pipe; entr -s > rm x @pipe`},
	{"nodemon --exec 'rm x' app.js", `nodemon --exec "rm x" app.js; nodemon --exec > rm x`},
	{"nodemon app.js", "nodemon app.js"},
	{"hyperfine 'rm x' --prepare 'rm y' -L a 1,2", `hyperfine "rm x" --prepare "rm y" -L a 1,2; hyperfine > rm x; hyperfine --prepare > rm y; hyperfine > 1,2`},
	{"hyperfine --help", "hyperfine --help"},
	{`concurrently -n a,b 'rm x' "ls"`, `concurrently -n a,b "rm x" ls; concurrently > rm x; concurrently > ls`},
}

func TestAccounts(t *testing.T) {
	for _, c := range accountCases {
		if got := show(Parse(c.text, Options{})); got != c.want {
			t.Errorf("Parse(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// hiddenCases are lines that run zap in ways that are easily missed, with
// what they run.
var hiddenCases = []struct{ text, want string }{
	// A comment ends with its line, whatever stands at its end.
	{"ls # x \\\nzap /", "zap /"},
	{"ls #\\\nzap /", "zap /"},
	{"ls #a \\\n#b \\\nzap /", "zap /"},
	{"bash -c 'ls # x \\\nzap /'", "zap /"},
	{"x=$(ls # \\\nzap /)", "zap /"},
	{"ls '# x \\\nzap /'", ""},
	{"ls \\\r\nzap /", "zap /"},

	// What the shell expands once more.
	{"let 'x[$(zap /)]=1'", "zap /"},
	{"a='x[$(zap /)]'; let \"b=a\"", "zap /"},
	{"a='x[$(zap /)]'; ((a)); echo $((a)) ${s:a}", "zap /"},
	{"a='x[$(zap /)]'; [[ $a -eq 0 ]]", "zap /"},
	{"a='x[$(zap /)]'; [[ 0 -lt a ]]", "zap /"},
	{"a='x[$(zap /)]'; (( $a ))", "zap /"},
	{"a='x[$(zap /)]'; (( y[a] = 1 ))", "zap /"},
	{"a='x[$(zap /)]'; echo ${!a}", "zap /"},
	{"declare -n a='x[$(zap /)]'", "zap /"},
	{"declare -i a='x[$(zap /)]'", "zap /"},
	{"f() { local -i n=$1; }; f 'x[$(zap /)]'", "zap /"},
	{"[ -v 'x[$(zap /)]' ]", "zap /"},
	{"[[ -v 'x[`zap /`]' ]]", "zap /"},
	{"unset 'x[$(zap /)]'", "zap /"},
	{"printf -v 'x[$(zap /)]' y", "zap /"},
	{"read 'x[$(zap /)]' <<< y", "zap /"},
	{"declare 'x[$(zap /)]=1'", "zap /"},
	{"declare 'x=[$(zap /)]'; test 'x[$(zap /)]' = y; printf 'x[$(zap /)]'", ""},
	{"m=([$(zap /)]=1)", "zap /"},
	{"declare -A m=([$(zap /)]=1)", "zap /"},
	{`p='$(zap /)'; echo "${p@P}"`, "zap /"},
	{"PS4='$(zap /)'; set -x; :", "zap /"},
	{"declare PS4='$(zap /)'", "zap /"},
	{"env PS4='$(zap /)' bash -xc :", "zap /"},
	{"compgen -W '$(zap /)'", "zap /"},

	// What a shell is handed.
	{"env 'BASH_FUNC_ls%%=() { zap /; }' bash -c ls", "zap /"},
	{"env a.b=1 zap /", "zap /"},
	{"time -p -- zap /", "zap /"},
	{"BASH_ENV=$X bash -c :", "?"},
	{"tee >(sh) <<< 'zap /'", "?"},
	{"exec > >(sh); echo 'zap /'", "?"},
	{"coproc sh; echo 'zap /' >&${COPROC[1]}", "?"},
	{"sh < /dev/tcp/h/1", "?"},
	{"fish -c 'zap /'", "?; zap /"},
	{"cmd /c zap /", "zap /"},
	{"julia -e 'run(`zap /`)'", "?; zap /"},
	{"jshell <<< x", "?"},

	// Values that are another one than they seem.
	{"OPTARG=; set -- -a zap; while getopts a: o; do $OPTARG /; done", "?"},
	{"c=echo; f() { declare -g c=zap; }; f; $c /", "?"},
	{"c=echo; trap 'c=zap' USR1; kill -USR1 $$; $c /", "zap /"},

	// Files that another program writes.
	{"echo 'xap /' > y; sed -i s/x/z/ y; sh y", "?"},
	{"echo 'zap /' | dd of=y; sh y", "?"},
	{"echo 'zap /' | sort -o y; sh y", "?"},
	{"echo 'zap /' | cp /dev/stdin y; sh y", "zap /"},
	{"echo 'zap /' > y; chmod +x y; ./y", "zap /"},
}

// TestHidden looks at what runs zap, and at programs that aren't known.
func TestHidden(t *testing.T) {
	for _, c := range hiddenCases {
		var runs []string
		for _, command := range Parse(c.text, Options{}).Commands {
			run := "?"
			if !command.NameDynamic {
				run = "zap"
				for _, arg := range command.Args {
					run += " " + arg.Text
				}
			}
			if (command.NameDynamic || command.Name == "zap") && !slices.Contains(runs, run) {
				runs = append(runs, run)
			}
		}
		if got := strings.Join(runs, "; "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// subtleCases are lines in which a shell does something else than a quick look
// says, with what they run, as showRuns writes it.
var subtleCases = []struct{ text, want string }{
	// What is run while a value is looked for that isn't there.
	{`: ${x:?$(wipe /)}`, "wipe /"},
	{`: ${!x:-$(wipe /)}`, "wipe /"},
	{`: ${#a[$(wipe /)]}`, "wipe /"},
	{`x=$(now); : ${x#$(wipe /)}`, "now; wipe /"},

	// Options of builtins.
	{`bash -c 'set -euo pipefail; rm "$1"' x /`, "rm /"},
	{`bash -c 'set -o pipefail -- rm /; "$@"'`, "rm /"},
	{`X=wipe; printf -vX rm; $X /`, "rm /"},
	{`a=wipe; printf -v 'a[0]' rm; $a /`, "rm /"},
	{`echo -e -n '\x72m /' | sh`, "rm /"},
	{`echo -e -E '\x72m /' | sh`, "x72m /"},
	{`declare -i x; declare +i x; x=rm; $x /`, "?$x /"},
	{`declare -i x; unset x; x=rm; $x /`, "?$x /"},
	{`declare -i x; bash -c 'x=rm; $x /'`, "rm /"},
	{`f=1; f() { rm $1; }; f /a; unset f; f /b`, "rm /a; rm /b"},

	// Folders.
	{`cd /; pushd -n /x; rm a`, "rm a in /"},
	{`cd /x; pushd /; popd -n; rm a`, "rm a in /"},
	{`cd /x; pushd /; popd +0; rm a`, "rm a in \"?\""},
	{`cd /x; pushd /; dirs -c; popd; rm a`, `dirs -c in /; rm a in "?"`},
	{`cd /; /usr/bin/cd /x; rm a`, "rm a in /"},
	{`PWD=/x; cd /; rm $PWD/a`, "rm $PWD/a* in /"},
	{`cd /; PWD=/x bash -c 'rm $PWD/a'`, "rm //a in /"},

	// What a shell of its own gets.
	{`export IFS=,; sh -c 'X="rm /"; $X'`, "rm /"},
	{`f() { sh -c '$X /'; }; X=rm f`, "rm /"},
	{`f() { bash /dev/fd/3; }; f 3<<<'rm /'`, "rm /"},

	// Traps.
	{`trap 'rm /' EXIT; trap - INT`, "rm /"},
	{`trap 'rm /' EXIT; false && trap - EXIT`, "rm /"},
	{`trap 'rm /' EXIT; trap - EXIT`, ""},

	// Ways through a line.
	{`D=/; case $x in a) D=/a ;& b) rm $D;; esac`, "rm /; rm /a"},
	{`case $x in a) D=/ ;;& b) D=/b ;; *) D=/c; esac; rm $D`, "rm /; rm /b; rm /c"},
	{"while read x && [ $x != b ]; do D=/$x; done <<< $'a\\nb'; rm $D", "rm $D*; rm /a; rm /b"},
	{`for x in '$y' "$y"; do $x /; done`, "$y /; ?$y /"},
	{`alias sudo=wipe; sudo rm /`, "sudo rm /; rm /; wipe rm /"},
	{`if t; then for v in a b; do [ $v ] || continue; done; D=/; else D=/x; fi; rm $D`, "t; rm /; rm /x"},

	{`for i in a b; do [ $x = 1 ] && D=/1 && break; [ $x = 2 ] && D=/2 && break; [ $x = 3 ] && D=/3 && break; [ $x = 4 ] && D=/4 && break; [ $x = 5 ] && D=/5 && break; [ $x = 6 ] && D=/6 && break; [ $x = 7 ] && D=/7 && break; [ $x = 8 ] && D=/8 && break; [ $x = 9 ] && D=/9 && break; [ $x = 10 ] && D=/10 && break; done; rm $D`, "rm /1; rm /2; rm /3; rm /4; rm /5; rm /6; rm /7; rm $D*"},
	// Descriptors.
	{`echo rm / >&1 | sh`, "rm /"},
	{`{ echo rm / >&2; } 2>&1 | sh`, "rm /"},
	{`echo rm / >&2 |& sh`, "rm /"},
	{`{ echo rm / >&3; } 3>&1 | sh`, "rm /"},
	{`echo rm / 2>&1 >&2 | sh`, "rm /"},
	{`echo rm / >&2 | sh`, ""},
	{`x=$(echo a >&2; echo b); rm $x`, "rm b"},
	{`echo rm / > >(sh)`, "?"},

	// Files that the line wrote.
	{`ln -s /bin/rm foo; ./foo -rf /`, "ln -s /bin/rm foo; foo -rf /; rm -rf /"},
	{`cp /bin/rm d/; d/rm -rf /`, "rm -rf /; rm -rf /"},
	{`cp /etc/hosts foo; cat foo | sh`, "?"},
	{`echo rm / >& x; sh x`, "rm /"},
	{`{ echo rm / >&2; } > x 2>&1; sh x`, "rm /"},
	{`if t; then D=/a; else D=/b; fi; echo rm $D > x; sh x`, "t; rm /a; rm /b"},
	{`if t; then echo rm a > x; else echo rm b > x; fi; cp x y; sh y`, "t; rm a; rm b"},
	{`if t; then F=x; else F=y; fi; echo wipe > x; rm $F; sh x`, "t; rm x; rm y; wipe"},
	{`echo rm / > x; tee -a x <<< wipe; sh x`, "rm /; wipe"},
	{`echo wipe > x; sed -i s/wipe/rm/ x; sh x`, "sed -i s/wipe/rm/ x; wipe; ?"},
	{`install -m755 /dev/stdin x <<< 'rm /'; ./x`, "install -m755 /dev/stdin x; x; rm /"},
	{`cp <(echo rm /) x; sh x`, "rm /"},
}

func TestSubtle(t *testing.T) {
	for _, c := range subtleCases {
		if got := showRuns(Parse(c.text, Options{Cwd: "/work", Home: "/home/me"})); got != c.want {
			t.Errorf("%s:\n\t%s\nwant\t%s", c.text, got, c.want)
		}
	}
}

// TestHomePassedOn checks that a home folder that isn't known stays one in the
// output of a program.
func TestHomePassedOn(t *testing.T) {
	for _, text := range []string{"rm $(echo ~/x)", `rm "$(printf %s ~/x)"`, "echo ~/x | { read y; rm $y; }"} {
		line := Parse(text, Options{})
		last := line.Commands[len(line.Commands)-1]
		if got := last.Args[0]; got.Text != "~/x" || !got.Home {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestPositionOfFile checks that what a file runs that the line wrote is where
// the file is run.
func TestPositionOfFile(t *testing.T) {
	for _, text := range []string{"echo rm / > x\nsh x", "curl -o x u\nsh x"} {
		line := Parse(text, Options{})
		if last := line.Commands[len(line.Commands)-1]; last.Line != 2 || last.Column != 1 {
			t.Errorf("%s: %d:%d", text, last.Line, last.Column)
		}
	}
}

// sourceCases are command lines with the sources of the last command's text.
var sourceCases = []struct{ text, want string }{
	// What has decoded a known text.
	{"echo bHM= | base64 -d | sh", "ls < base64"},
	{`eval "$(echo bHM= | base64 --decode)"`, "ls < base64"},
	{"$(echo bHM= | base64 -d) -l", "ls < base64"},
	{"echo 6c73 | xxd -r -p | sh", "ls < xxd"},
	{"echo sl | rev | sh", "ls < rev"},
	{"echo yf | tr a-z b-za | sh", "zg < tr"},
	{`printf '\154\163' | sh`, "ls < printf"},
	{`echo -e '\x6cs' | sh`, "ls < echo"},
	{`printf 'ls\n' | sh`, "ls"},
	{`printf 'ls\tx' | sh`, "ls"},
	{"echo LS | tr A-Z a-z | sh", "ls"},
	{"echo ls | cat | sh", "ls"},
	{"echo bHM= | base64 -d | cat", "cat"},

	{`awk 'BEGIN { print "ls" }' | sh`, "ls"},
	{`awk '{ printf("ls %s\n", "x") }' f | cat | sh`, "ls"},
	{`awk -v d=/x 'BEGIN { print "ls " d }' | sh`, "ls"},
	{`ls | awk '{ print "rm -r " $1 }' | sh`, "rm"},
	{`awk '{ print $1 }' f | sh`, "? < awk"},

	// What brings a text that isn't known.
	{"curl u | sh", "? < curl"},
	{"curl u | gunzip | sh", "? < curl gunzip"},
	{"curl -o f.gz u; gunzip f.gz; sh f", "? < curl gunzip"},
	{"curl --output-dir d -O u/f; sh d/f", "? < curl"},
	{"wget -P d u/f; sh d/f", "? < wget"},
	{"curl -o f u; cp f g; sh g", "? < curl"},
	{"curl -o f u; rsync f g; sh g", "? < curl"},
	{"curl -o f u; ln f g; sh g", "? < curl"},
	{"curl -o f u; dd if=f of=g; sh g", "? < curl dd"},
	{"curl u | dd of=f; sh f", "? < curl dd"},
	{"T=$(mktemp); curl u > $T; $T", "? < curl"},
	{"scp host:f g; sh g", "? < scp"},
	{"scp host:dir/f .; sh ./f", "? < scp"},
	{"aws s3 cp s3://b/f g; sh g", "? < aws"},
	{"aws s3 cp f s3://b/g; sh f", "sh"},
	{"curl u | sh | sh", "? < curl sh"},
}

func TestSources(t *testing.T) {
	for _, c := range sourceCases {
		commands := Parse(c.text, Options{}).Commands
		last := commands[len(commands)-1]
		got := last.Name
		if last.NameDynamic {
			got = "?"
		}
		var from []string
		for _, source := range last.From {
			from = append(from, source.Name)
		}
		if len(from) > 0 {
			got += " < " + strings.Join(from, " ")
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}
