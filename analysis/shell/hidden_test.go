package shell

import (
	"slices"
	"strings"
	"testing"
)

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
	{"cmd /c zap /", "?; zap /"},
	{"julia -e 'run(`zap /`)'", "?"},
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
