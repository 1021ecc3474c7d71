package shell

import (
	"strings"
	"testing"
)

// multiplyCases are command lines with the commands that multiply, each once.
var multiplyCases = []struct{ text, want string }{
	// Functions that call themselves.
	{":(){ :|:& };:", ":"},
	{"bomb() { bomb | bomb & }; bomb", "bomb"},
	{"f() { f & }; f", "f"},
	{"f() { f | cat; }; f", "f"},
	{"first() { second & }; second() { first; }; first", "first second"},
	{"f() { f; }; f", ""},
	{"f() { g & }; g() { ls; }; f", ""},
	{"f() { [ $1 -gt 0 ] && f $(($1 - 1)) & }; f 3", ""},
	{"f() { if [ $1 -gt 0 ]; then f $(($1 - 1)) & fi; }; f 3", ""},
	{"f() { [ $1 -eq 0 ] && return; f $(($1 - 1)) & }; f 3", ""},
	{`walk() { for d in "$1"/*; do walk "$d" & done; wait; }; walk .`, ""},

	// Loops that don't end.
	{"while true; do work & done", "work"},
	{"while :; do (work); work & done", "work"},
	{"while [ 1 ]; do work & done", "work"},
	{"while [[ 1 -eq 1 ]]; do work & done", "work"},
	{"while ((1)); do work & done", "work"},
	{"while ((2 == 2)); do work & done", "work"},
	{"while true && true; do work & done", "work"},
	{"until false; do work & done", "work"},
	{"while ! false; do work & done", "work"},
	{"for ((;;)); do work & done", "work"},
	{"for ((i = 0; 1; i++)); do work & done", "work"},
	{"while true; do first & wait; second & done", "second"},
	{"start() { work & }; while true; do start; done", "work"},
	{"bash -c 'while true; do work & done'", "work"},
	{"while true; do coproc work; done", "work"},

	// Loops that end, wait, or start nothing.
	{"while true; do work & wait; done", ""},
	{"while true; do work & sleep 1; done", ""},
	{"while true; do work & break; done", ""},
	{"while true; do work; done", ""},
	{"while false; do work & done", ""},
	{"while ((i < 3)); do work & done", ""},
	{"while read -r line; do work & done < list", ""},
	{"while pgrep x; do work & done", ""},
	{"for i in 1 2 3; do work & done", ""},
	{"for ((i = 0; i < 3; i++)); do work & done", ""},
	{"until [ -e done ]; do work & done", ""},
}

func TestMultiplies(t *testing.T) {
	for _, c := range multiplyCases {
		var names []string
		seen := map[string]bool{}
		for _, cmd := range Parse(c.text, Options{}).Commands {
			if cmd.Multiplies && !seen[cmd.Name] {
				seen[cmd.Name] = true
				names = append(names, cmd.Name)
			}
		}
		want := strings.Fields(c.want)
		for _, name := range want {
			if !seen[name] {
				t.Errorf("Parse(%q): %s doesn't multiply", c.text, name)
			}
		}
		if len(names) != len(want) {
			t.Errorf("Parse(%q): %q multiply, want %q", c.text, names, want)
		}
	}
}
