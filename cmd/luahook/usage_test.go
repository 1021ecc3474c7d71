package main

import (
	"strings"
	"testing"
)

// Every verb says what it does, shows how it is called and what its exit status means.
func TestEveryVerbHasHelp(t *testing.T) {
	for _, v := range verbs {
		cmd := v.make()
		if cmd.Short == "" || !strings.Contains(cmd.Example, "  luahook") && !strings.Contains(cmd.Example, "| luahook") {
			t.Errorf("%s: no example in its help", v.name)
		}
		if !strings.Contains(cmd.Long, "Exit status:") {
			t.Errorf("%s: its help doesn't say what the exit status means", v.name)
		}
		for line := range strings.Lines(cmd.Long + "\n" + cmd.Example) {
			if len([]rune(line)) > 140 {
				t.Errorf("%s: a line of its help is longer than a terminal is wide: %s", v.name, line)
			}
		}
	}
}
