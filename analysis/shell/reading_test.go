package shell

import (
	"strings"
	"testing"
)

// TestInputOfRedirection is about what commands read that stand within a redirection.
func TestInputOfRedirection(t *testing.T) {
	for _, c := range []struct{ text, name, want string }{
		{"{ send; } < key", "send", "-"},
		{"( send ) < key", "send", "-"},
		{"{ ( send -x; ); } < key", "send", "-"},
		{"if true; then send; fi < key", "send", "-"},
		{"while read -r l; do send; done < key", "send", "-"},
		{"while read -r l; do send; done < key", "read", "-"},
		{"bash -c send < key", "send", "bash"},
		{"sudo bash -c 'x; send' < key", "send", "bash"},
		{"f() { send; }; f < key", "send", "f"},
		{"f() { send; } < key; f", "send", "-"},
		{"exec < key; send", "send", "exec"},
		{"exec 3< key; send <&3", "send", "exec"},
		{"exec 3< key; { send; } <&3", "send", "exec"},
		{"x=$(cat) < /dev/null; { send \"$(cat)\"; } < key", "cat", "-"},
		{"{ sort | send; } < key", "sort", "-"},
		{"eval send < key", "send", "eval"},
		{"ssh h send < key", "send", "ssh"},

		// Something else is read there.
		{"send < key", "send", "none"},
		{"{ send < other; } < key", "send", "none"},
		{"{ x | send; } < key", "send", "x"},
		{"{ send; } <<< text", "send", ""},
		{"{ x; } < key; send", "send", "none"},
		{"exec 3< key; send", "send", "none"},
		{"exec 3< key; exec 3< /dev/null; send <&3", "send", ""},
		{"{ xargs send; } < key", "send", "none"},
	} {
		got := "?"
		for _, command := range Parse(c.text, Options{Cwd: "/work"}).Commands {
			if command.Name != c.name {
				continue
			}
			if got = "none"; command.Input != nil {
				var from []string
				for _, source := range command.Input.From {
					if from = append(from, source.Name); source.Name == "" {
						from[len(from)-1] = "-"
					}
				}
				got = strings.Join(from, " ")
			}
		}
		if got != c.want {
			t.Errorf("in %q %s reads from %q, want %q", c.text, c.name, got, c.want)
		}
	}
}

// TestToldOfFile is about what is read into words.
func TestToldOfFile(t *testing.T) {
	for _, text := range []string{
		`send "$(< key)"`, `send "$(<key)"`, "send \"`< key`\"", `x=$(< key); send "$x"`, `send "$(< key | cat)"`,
		`while read -r l; do send "$l"; done < key`, `read -r l < key; send "$l"`, `exec 3< key; read -r -u 3 l; send $l`,
		`mapfile -t a < key; send "${a[@]}"`, `x="$(< key)" bash -c 'send "$x"'`, `env "x=$(< key)" bash -c 'send "$x"'`,
	} {
		told := false
		for _, command := range Parse(text, Options{Cwd: "/work"}).Commands {
			for _, source := range command.Told {
				for _, p := range source.Paths() {
					told = told || command.Name == "send" && p.Access == Read && p.Text == "/work/key"
				}
				if source.Name == "cat" && source.Input != nil {
					told = true
				}
			}
		}
		if !told {
			t.Errorf("%q tells nothing of the file", text)
		}
	}
}
