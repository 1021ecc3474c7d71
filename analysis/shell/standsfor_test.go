package shell_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/analysis/shell"
)

func TestStandsFor(t *testing.T) {
	const no, may, says = 0, 1, 2
	for _, c := range []struct {
		pattern, name string
		want          int
	}{
		{".hooks", ".hooks", says},
		{".hook[s]", ".hooks", says},
		{".hook?", ".hooks", says},
		{".HOOK?", ".hooks", says},
		{".h*", ".hooks", says},
		{".*", ".hooks", says},
		{".h*k*s", ".hooks", says},
		{".*s*s", ".hooks", no},
		{".hook", ".hooks", no},
		{".hooks?", ".hooks", no},
		{".hooks*", ".hooks", says},
		{".[[:alpha:]]ooks", ".hooks", says},
		{".[![:digit:]]ooks", ".hooks", says},
		{".[]h]ooks", ".hooks", says},
		{".[!]]ooks", ".hooks", says},
		{".[!h]ooks", ".hooks", says}, // [\!h]
		{".[!x]hook", ".hooks", no},
		{".[h]b[c]ooks", ".hooks", says}, // [h\]b[c]
		{".[a-h]ooks", ".hooks", says},
		{".[i-z]ooks", ".hooks", no},
		{".[A-Z]ooks", ".hooks", says},
		{".[Z-a]ooks", ".hooks", says},
		{".[a-]ooks", ".hooks", no},
		{".@(hooks|x)", ".hooks", says},
		{".+(h)ooks", ".hooks", says},
		{".!(x)", ".hooks", says},
		{".h?(oo)ks", ".hooks", says},
		{".@(h)ooky", ".hooks", no},
		{`.\hooks`, ".hooks", says},
		{"?hooks", ".hooks", says},
		{"[.]hooks", ".hooks", says},
		{"*hooks", ".hooks", says},
		{"*", ".hooks", may},
		{"[!x]*", ".hooks", may},
		{"[a-z]*", ".hooks", no},
		{"[", ".hooks", no},
		{"[", "[", says},
		{"[...]]", ".git", no},
		{"[.", "[.", says},
		{"[]", "[]", says},
		{"(", "(", says},
		{".git{", ".git", no},
		{".{git", ".git", no},
		{"open*.json", "opencode.json", says},
		{"o*", "opencode.json", may},
		{"*.json", "opencode.json", may},
		{"*", "opencode.json", may},
		{"*.[j]son", "opencode.json", says},
		{"*code.json", "opencode.json", says},
		{"????code.json", "opencode.json", says},
		{"[a-z]*.json", "opencode.json", may},
		{"*.toml", "opencode.json", no},
		{"", "x", no},
		{"*", "", no},
		{strings.Repeat("?", 256), "x", says},
		{strings.Repeat("[x]", 17), ".git", says},
		{strings.Repeat("[", 16), ".git", no},
	} {
		got := no
		switch may, says := shell.StandsFor(c.pattern, c.name); {
		case says:
			got = 2
		case may:
			got = 1
		}
		if got != c.want {
			t.Errorf("%q for %q: %d, want %d", c.pattern, c.name, got, c.want)
		}
	}
}
