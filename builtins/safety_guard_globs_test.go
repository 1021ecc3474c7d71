package builtins_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// Where a command is stopped, so is one that has a pattern for a name in it: the shell finds the same file.
func TestPatternsOfNames(t *testing.T) {
	source, err := os.ReadFile("safety-guard/names.lua")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(source), "FILES = [[\n")
	list, _, ok := strings.Cut(list, "]]")
	if !ok {
		t.Fatal("names.lua has no list of names")
	}
	names := map[string]bool{}
	for _, line := range strings.Split(list, "\n") {
		for _, name := range strings.Split(strings.TrimPrefix(line, "/"), "/") {
			names[name] = true
		}
	}
	files, err := filepath.Glob("testdata/safety-guard/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	weight := map[hooks.Decision]int{hooks.Ask: 1, hooks.Deny: 2}
	count := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		e := guardWith(t, nil)
		for i, line := range strings.Split(string(text), "\n") {
			line = strings.TrimSpace(line)
			if options, ok := strings.CutPrefix(line, "#with "); ok {
				var with map[string]any
				if err := json.Unmarshal([]byte(options), &with); err != nil {
					t.Fatal(err)
				}
				e = guardWith(t, with)
			}
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			want, command := caseOf(t, file, i+1, line)
			if want == "-" {
				continue
			}
			changed := withPatterns(command, names)
			if len(changed) == 0 {
				continue
			}
			rule, plain := verdictOf(t, e, command)
			for _, other := range changed {
				count++
				if got, r := verdictOf(t, e, other); weight[r.Decision] < weight[plain.Decision] {
					t.Errorf("%s:%d: %s: stopped by %q, and without patterns, %s, by %q", file, i+1, other, got, command, rule)
				}
			}
		}
	}
	t.Logf("%d commands with patterns", count)
	if count < 500 {
		t.Errorf("only %d commands with patterns", count)
	}
}

var nameInPath = regexp.MustCompile(`[\w.-]+`)

// withPatterns returns a command that quotes nothing with patterns of the shell in the place of one of the names in
// its arguments.
func withPatterns(command string, names map[string]bool) []string {
	if strings.ContainsAny(command, "'\"\\`(){}\n") || strings.Contains(command, "<<") {
		return nil
	}
	var list []string
	for _, at := range nameInPath.FindAllStringIndex(command, -1) {
		name := command[at[0]:at[1]]
		before, after := command[:at[0]], command[at[1]:]
		if before == "" || !strings.ContainsAny(before[len(before)-1:], "/ >") || strings.HasPrefix(after, "=") || len(name) < 3 {
			continue
		}
		path := strings.HasSuffix(before, "/") || strings.HasPrefix(after, "/") || name[0] == '.'
		if !path || !names[name] {
			continue
		}
		last := len(name) - 1
		for _, pattern := range []string{
			name[:last] + "[" + name[last:] + "]",
			name[:last] + "?",
			name[:2] + "*",
			name[:1] + "[[:alpha:]]" + name[2:],
			name[:1] + "@(" + name[1:2] + "|x)" + name[2:],
		} {
			list = append(list, before+pattern+after)
		}
	}
	return list
}
