package builtins_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The cases of testdata/safety-guard, a file for each class. A line has the rule that stops a command, "-" for
// none, and after blanks the command: as it is, or as a Go string if it begins with a quote ("a\nb"). "ask" and
// "deny" instead of a rule are any rule that asks or denies. "#with {...}" sets the options for the following
// lines; other lines that begin with # are comments.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/safety-guard/*.txt")
	if err != nil {
		t.Fatal(err)
	}
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
					t.Fatalf("%s:%d: %v", file, i+1, err)
				}
				e = guardWith(t, with)
				continue
			}
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			want, command, ok := strings.Cut(line, " ")
			command = strings.TrimSpace(command)
			if !ok || command == "" {
				t.Fatalf("%s:%d: a rule and a command expected", file, i+1)
			}
			if strings.HasPrefix(command, `"`) {
				if unquoted, err := strconv.Unquote(command); err == nil {
					command = unquoted
				}
			}
			count++
			got, r := verdictOf(t, e, command)
			switch want {
			case "-":
				want = ""
			case "ask", "deny":
				got = string(r.Decision)
			}
			if got != want {
				t.Errorf("%s:%d: %s: got %q, want %q: %s", file, i+1, command, got, want, r.Reason)
			}
		}
	}
	t.Logf("%d cases", count)
}
