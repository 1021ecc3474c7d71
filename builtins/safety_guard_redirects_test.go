package builtins_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/engine"
)

// What a redirection names is no operand: one that only throws output away or keeps it in a log changes the answer
// about no command, neither the examples of a rule nor the rows of testdata/safety-guard.
func TestRedirectsAreNoOperands(t *testing.T) {
	engines := map[string]*engine.Engine{}
	guard := func(with map[string]any) *engine.Engine {
		key, err := json.Marshal(with)
		if err != nil {
			t.Fatal(err)
		}
		if engines[string(key)] == nil {
			engines[string(key)] = guardWith(t, with)
		}
		return engines[string(key)]
	}
	redirects := []string{"2>/dev/null", "2>> out.log", ">/dev/null", "> out.log 2>&1", "&> out.log", "< /dev/null", "< in.txt"}
	count, next := 0, 0
	check := func(e *engine.Engine, command string, redirects ...string) {
		before, _ := verdictOf(t, e, command)
		for _, redirect := range redirects {
			for _, changed := range redirected(command, redirect) {
				after, r := verdictOf(t, e, changed)
				if (before == "") != (after == "") && !matters(before, redirect) && !(strings.HasPrefix(after, "loss.") && mayMislead(command, redirect)) {
					t.Errorf("%s: %q, but %s: %q %s", command, before, changed, after, r.Reason)
				}
				count++
			}
		}
	}
	for _, rule := range readRules(t) {
		if rule.Tool {
			continue
		}
		with := map[string]any{}
		if rule.Pack != "" {
			with["packs"] = []string{rule.Pack}
		}
		if rule.Level != "" {
			with["level"] = rule.Level
		}
		for _, command := range append(rule.Blocked, rule.Passes...) {
			check(guard(with), command, redirects...)
		}
	}
	files, err := filepath.Glob("testdata/safety-guard/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		e := guard(nil)
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if options, ok := strings.CutPrefix(line, "#with "); ok {
				var with map[string]any
				if err := json.Unmarshal([]byte(options), &with); err != nil {
					t.Fatal(err)
				}
				e = guard(with)
			} else if _, command, ok := strings.Cut(line, " "); ok && !strings.HasPrefix(line, "#") {
				command = strings.TrimSpace(command)
				if unquoted, err := strconv.Unquote(command); err == nil {
					command = unquoted
				}
				if next++; os.Getenv("LUAHOOK_NIGHTLY") == "1" {
					check(e, command, redirects...)
				} else { // a row has one of them, the next one another
					check(e, command, redirects[next%len(redirects)])
				}
			}
		}
	}
	t.Logf("%d commands", count)
}

// redirected returns command with a redirection behind its last simple command and in front of its first, where that
// leaves the commands and what goes through its pipes as they are.
func redirected(command, redirect string) (changed []string) {
	line := shell.Parse(command, shell.Options{})
	if line.Err != nil || line.TooComplex || strings.ContainsAny(command, "#\n") {
		return nil
	} else if strings.HasPrefix(redirect, "<") && strings.Contains(command, "<") || strings.ContainsAny(redirect[:1], ">&") && strings.Contains(command, ">") { // the last one counts
		return nil
	}
	behind, before := strings.TrimRight(command, " ")+" "+redirect, redirect+" "+command
	texts := []string{behind, before}
	if strings.Contains(command, "|") && !strings.HasPrefix(redirect, "2") {
		if texts = texts[:1]; strings.HasPrefix(redirect, "<") {
			return nil
		}
	}
	for _, text := range texts {
		with := shell.Parse(text, shell.Options{})
		if with.Err == nil && len(with.Commands) == len(line.Commands) {
			changed = append(changed, text)
		}
	}
	return changed
}

// matters reports whether a rule is about what a redirection changes: what a shell reads, or what a screen shows.
func matters(rule, redirect string) bool {
	switch rule {
	case "execution.interactive-shell", "input.as-program":
		return strings.HasPrefix(redirect, "<")
	case "secrets.echo", "secrets.shown":
		return strings.ContainsAny(redirect[:1], ">&")
	case "overwrite.itself":
		return strings.HasPrefix(redirect, "<")
	case "git.checkout-files", "git.reset-hard": // what git diff prints is kept
		return strings.ContainsAny(redirect[:1], ">&")
	}
	return false
}

// mayMislead reports whether a redirection can change what a line does to a file: where one can't be opened a test of
// the file fails, and a file can answer a program's question.
func mayMislead(command, redirect string) bool {
	if strings.HasPrefix(redirect, "<") && strings.Contains(command, " -i ") {
		return true
	}
	return !strings.Contains(redirect, "/dev/null") && strings.ContainsAny(command, "[|&") // behind a test
}
