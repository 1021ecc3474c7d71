package shell_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/analysis/shell"
)

// TestMemoryOfLongLines bounds what each command of a long line takes: a scope that doesn't stay on the stack takes a
// piece of memory more for each, and so does what a filter is told where nothing is known of what it reads.
func TestMemoryOfLongLines(t *testing.T) {
	const many = 500
	for _, test := range []struct {
		name, begin, part string
		most              float64 // pieces for each command, the parser's included
	}{
		{"pipe", "cat a.txt", " | grep -v word", 15},
		{"and", "true", " && echo some words", 12},
		{"list", "true", "; a", 4},
		{"redirect", "true", "; echo x >> out.txt", 18},
	} {
		line := test.begin + strings.Repeat(test.part, many)
		got := testing.AllocsPerRun(20, func() { shell.Parse(line, shell.Options{Cwd: "/w"}) }) / many
		if got > test.most {
			t.Errorf("%s: %.1f allocations for each command, want at most %g", test.name, got, test.most)
		}
	}
}
