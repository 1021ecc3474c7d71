package builtins_test

import (
	"os/exec"
	"strings"
	"testing"
)

// The home folder is no project, unless it is a repository.
func TestContextInjectorInTheHomeFolder(t *testing.T) {
	root := t.TempDir()
	writeIn(t, root, "letters/to-anna.txt", "")
	writeIn(t, root, "AGENTS.md", "Be kind.\n")
	page := func() string {
		home := homeElsewhere(t)
		t.Setenv("HOME", root)
		e := start(t, home, root, "pre_prompt: [{builtin: context-injector, with: {every: prompt}}]")
		text, _ := e.fire(t, map[string]any{"event": "pre_prompt", "prompt": "go"})["new_context"].(string)
		return text
	}
	if got := page(); !strings.Contains(got, "Be kind.") || strings.Contains(got, "letters") {
		t.Errorf("got %q, want the standards and no files", got)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "letters"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git: %v: %s", err, out)
		}
	}
	if got := page(); !strings.Contains(got, "to-anna.txt") {
		t.Errorf("got %q, want the files of the repository", got)
	}
}
