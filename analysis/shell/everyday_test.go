package shell

import (
	"strings"
	"testing"
)

// everydayFacts writes what a guard asks of each command in a short form:
// "via > name(operands) r /read w /written d /deleted git facts in /dir", "?" for
// a name that isn't known, "*" behind what is dynamic.
func everydayFacts(l *Line) string {
	var all []string
	for _, c := range l.Commands {
		var b strings.Builder
		for _, via := range c.Via {
			b.WriteString(via + " > ")
		}
		switch {
		case c.NameDynamic:
			b.WriteString("?" + c.Path)
		case c.Name != "":
			b.WriteString(c.Name)
		}
		if operands := c.Operands(); len(operands) > 0 {
			var words []string
			for _, word := range operands {
				words = append(words, showWord(word))
			}
			b.WriteString("(" + strings.Join(words, " ") + ")")
		}
		for _, p := range c.Paths() {
			b.WriteString(" " + string(p.Access[0]) + " " + p.Text)
			if p.Dynamic {
				b.WriteString("*")
			}
		}
		if g := c.Git(); g != nil && g.Because != "" {
			b.WriteString(" loses by " + g.Because)
		}
		switch {
		case c.Remote:
			b.WriteString(" remote")
		case c.Dir.Text != "/w" && !c.Dir.Dynamic:
			b.WriteString(" in " + c.Dir.Text)
		case c.Dir.Dynamic:
			b.WriteString(" somewhere")
		}
		all = append(all, b.String())
	}
	if l.Err != nil || l.TooComplex {
		all = append(all, "not understood")
	}
	return strings.Join(all, "; ")
}

// TestEveryday reads lines that people and agents type all day.
func TestEveryday(t *testing.T) {
	for _, test := range everyday {
		line := Parse(test.text, Options{Cwd: "/w", Home: "/h"})
		if got := everydayFacts(line); got != test.want {
			t.Errorf("%s:\n\t%s\nwant\t%s", test.text, got, test.want)
		}
	}
}
