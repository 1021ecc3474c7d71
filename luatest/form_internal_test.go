package luatest

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/luabind/compile"
)

// Comments are found in any text, each on a line that has its dashes, and never in what the
// compiler takes for a string.
func FuzzShortForms(f *testing.F) {
	for _, text := range []string{"-- denies: ls", "x = '-- denies: a' -- asks: b", "--[==[ -- asks: x\n]]]==] --passes: y", "[[\n-- denies: x\n]]", "#!x\n-- asks: y", "'\\\n-- denies: x'", "\ufeff-- denies: z"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		for _, form := range shortForms(text) {
			if form.line < 1 || form.line > len(lines) || !strings.Contains(lines[form.line-1], "--") {
				t.Fatalf("a short form on line %d of %q", form.line, text)
			}
			if strings.Contains(form.command, "\n") {
				t.Fatalf("a command of two lines in %q", text)
			}
		}
		for line := range sayingLines(text) {
			if line < 1 || line > len(lines) {
				t.Fatalf("line %d of %q", line, text)
			}
		}
		// A script whose short forms are cut out is the same script.
		if _, err := compile.Script("x", text); err != nil {
			return
		}
		rest := append([]string(nil), lines...)
		for _, form := range shortForms(text) {
			line := rest[form.line-1]
			at := strings.LastIndex(line, "--")
			for at > 0 && line[at-1] == '-' {
				at--
			}
			if !strings.Contains(line[:at], "--") { // else it isn't plain where the comment begins
				rest[form.line-1] = line[:at]
			}
		}
		if _, err := compile.Script("x", strings.Join(rest, "\n")); err != nil {
			t.Fatalf("%q without its short forms: %v", text, err)
		}
	})
}

func TestMeant(t *testing.T) {
	for word, want := range map[string]string{
		"denise": "denies", "Denies": "denies", "deny": "denies", "dennies": "denies", "denes": "denies", "pases": "passes", "allow": "passes", "ask": "asks",
		"tasks": "", "parses": "", "masks": "", "defines": "", "note": "", "": "", "TODO": "", "denotes": "",
	} {
		if got := meant(word); got != want {
			t.Errorf("meant(%q) is %q, want %q", word, got, want)
		}
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"https://a/*", "https://a/b/c", true}, {"https://a/*", "https://a", false}, {"*", "", true}, {"a", "a", true}, {"a", "ab", false},
		{"a*b*c", "a1b2c", true}, {"a*b*c", "abbc", true}, {"a*b*c", "acb", false}, {"ab*ba", "aba", false}, {"*x", "x", true}, {"**", "y", true},
	} {
		if got := fits(c.pattern, c.text); got != c.want {
			t.Errorf("fits(%q, %q) is %v", c.pattern, c.text, got)
		}
	}
}
