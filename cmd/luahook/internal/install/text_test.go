package install_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/luahook/luahook/cmd/luahook/internal/install"
	"github.com/luahook/luahook/hooks/wire"
)

// TestEveryAgent: every agent of the table has its place, and what is installed for it is what is found again.
func TestEveryAgent(t *testing.T) {
	for _, a := range wire.Agents() {
		target := target(t, a.Name)
		target.Agent = a
		before := tree(t, target.Home)
		events, err := target.Events(nil)
		if err != nil {
			t.Fatal(err)
		}
		installed(t, target)
		state, err := target.Look()
		if err != nil || len(state.Entries) != len(events) && a.Name != "opencode" {
			t.Errorf("%s: %d hooks for %d events, %v", a.Name, len(state.Entries), len(events), err)
		}
		for _, e := range state.Entries {
			if !e.Current || !slices.Equal(e.Command[:4], []string{"luahook", "run", "--agent", a.Name}) || !slices.Contains(state.Files, e.File) {
				t.Errorf("%s: %+v", a.Name, e)
			}
		}
		if plan, err := target.Install(nil); !planned(t, plan, err).Empty() {
			t.Errorf("%s: a second install changes\n%s", a.Name, plan.Diff())
		}
		for _, note := range target.Notes() {
			if !strings.HasSuffix(note, ".") || strings.Contains(note, "\n") {
				t.Errorf("%s: %q", a.Name, note)
			}
		}
		uninstalled(t, target)
		if diff := cmp.Diff(before, tree(t, target.Home)); diff != "" {
			t.Errorf("%s: uninstall has left a difference (-was +is):\n%s", a.Name, diff)
		}
	}
}

// TestUnstarted: of each agent that runs tools where luahook can't be started that is told, here and in the documentation.
func TestUnstarted(t *testing.T) {
	var titles []string
	for _, a := range wire.Agents() {
		here := &install.Target{Agent: a, Program: "luahook"}
		if note := here.Unstarted(); note == "" {
			continue
		} else if want := "Where " + a.Title + " can't start luahook, it runs tools as though nothing were wrong: luahook must be in the PATH of " + a.Title + ", which may be another one than that of your shell."; note != want {
			t.Errorf("it says %q, want %q", note, want)
		}
		if here.Program = "/opt/luahook"; !strings.HasSuffix(here.Unstarted(), ": /opt/luahook must stay there.") {
			t.Errorf("it says %q", here.Unstarted())
		}
		titles = append(titles, a.Title)
	}
	last := len(titles) - 1
	want := "**" + strings.Join(titles[:last], ", ") + " and " + titles[last] + " run it as though nothing were wrong.**"
	page := text(t, filepath.Join("..", "..", "..", "..", "docs", "agents.md"))
	if !strings.Contains(strings.Join(strings.Fields(page), " "), want) {
		t.Errorf("docs/agents.md doesn't say %q", want)
	}
}

// TestHooks: what is written for an event, agent by agent.
func TestHooks(t *testing.T) {
	for name, want := range map[string]string{
		"claude":   `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"luahook run --agent claude","timeout":60,"onFailure":"block"}]}],"Stop":[{"hooks":[{"type":"command","command":"luahook run --agent claude","timeout":600}]}],"SessionEnd":[{"hooks":[{"type":"command","command":"luahook run --agent claude","timeout":1.5}]}]}}`,
		"codex":    `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"luahook run --agent codex","timeout":60}]}],"Stop":[{"hooks":[{"type":"command","command":"luahook run --agent codex","timeout":600}]}],"SessionEnd":[{"hooks":[{"type":"command","command":"luahook run --agent codex","timeout":2}]}]}}`,
		"gemini":   `{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"luahook run --agent gemini","timeout":60000}]}],"AfterAgent":[{"hooks":[{"type":"command","command":"luahook run --agent gemini","timeout":600000}]}]}}`,
		"cursor":   `{"version":1,"hooks":{"preToolUse":[{"command":"luahook run --agent cursor","timeout":60,"failClosed":true}],"stop":[{"command":"luahook run --agent cursor","timeout":600}]}}`,
		"copilot":  `{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"luahook run --agent copilot --event preToolUse","powershell":"luahook run --agent copilot --event preToolUse","timeoutSec":60}],"stop":[{"type":"command","bash":"luahook run --agent copilot --event stop","powershell":"luahook run --agent copilot --event stop","timeoutSec":600}]}}`,
		"windsurf": `{"hooks":{"pre_run_command":[{"command":"luahook run --agent windsurf"}],"post_run_command":[{"command":"luahook run --agent windsurf"}]}}`,
		"crush":    `{"hooks":{"PreToolUse":[{"name":"luahook","command":"luahook run --agent crush","timeout":60}]}}`,
		"kiro":     `{"version":"v1","hooks":[{"name":"luahook PreToolUse","trigger":"PreToolUse","matcher":".*","action":{"type":"command","command":"luahook run --agent kiro"},"timeout":60,"enabled":true},{"name":"luahook Stop","trigger":"Stop","action":{"type":"command","command":"luahook run --agent kiro"},"timeout":600,"enabled":true},{"name":"luahook SessionEnd","trigger":"SessionEnd","action":{"type":"command","command":"luahook run --agent kiro"},"timeout":2,"enabled":true}]}`,
	} {
		target := target(t, name)
		installed(t, target)
		if diff := cmp.Diff(want, plainJSON(text(t, filepath.Join(target.Home, where(name))))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestProgram: the name luahook is what an agent is told only where it stands for this very file.
func TestProgram(t *testing.T) {
	dir := t.TempDir()
	self, other := put(t, dir, "a b/luahook", "x"), put(t, dir, "other/luahook", "x")
	built := put(t, dir, "go-build12/b001/exe/luahook", "x")
	if err := os.Symlink(self, filepath.Join(dir, "link")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	for _, c := range []struct{ executable, found, want string }{
		{self, self, "luahook"}, {self, filepath.Join(dir, "link"), "luahook"}, {self, other, self}, {self, "", self},
		{built, self, ""}, {filepath.Join(dir, "gone"), self, ""},
	} {
		got, err := install.Program(c.executable, func(string) (string, error) {
			if c.found == "" {
				return "", errors.New("not found")
			}
			return c.found, nil
		})
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s, found as %s: %q, %v", c.executable, c.found, got, err)
		}
	}
}

// TestQuoting: a quoted word is one word to sh, and is taken apart again.
func TestQuoting(t *testing.T) {
	words := []string{"luahook", "/a b/luahook", "/it's/luahook", `/a\b/"c"/luahook`, "/$HOME/`x`;&|/luahook", "/ü/🦊/luahook", "", "-x=1"}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = install.QuoteWord(w, false)
	}
	line := strings.Join(quoted, " ")
	if got := install.SplitLine(line); !slices.Equal(got, words) {
		t.Errorf("%q: %q", line, got)
	}
	if out, err := exec.CommandContext(t.Context(), "sh", "-c", `printf '%s\n' `+line).Output(); err != nil {
		t.Logf("not tried with sh: %v", err)
	} else if got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"); !slices.Equal(got, words) {
		t.Errorf("%q: to sh it's %q", line, got)
	}
	for line, want := range map[string][]string{
		`"C:\Program Files\luahook.exe" run`: {`C:\Program Files\luahook.exe`, "run"}, `& 'C:\x\luahook.exe' run`: {`C:\x\luahook.exe`, "run"},
		"luahook run; rm x": nil, "luahook run | tee": nil, "luahook 'run": nil, "$(luahook) run": nil, "luahook run # x": nil, "  luahook   run ": {"luahook", "run"},
	} {
		if got := install.SplitLine(line); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// TestDiff: the difference is one that patch understands.
func TestDiff(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"a\n", "a\n", ""}, {"", "a\n", "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n"}, {"a\n", "", "--- f\n+++ f\n@@ -1,1 +0,0 @@\n-a\n"},
		{"a", "a\n", "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"1\n2\n3\n4\n5\n", "1\n2\n3\n4\nx\n5\n", "--- f\n+++ f\n@@ -2,4 +2,5 @@\n 2\n 3\n 4\n+x\n 5\n"},
		{"a" + strings.Repeat("x", 5000) + "b", "a" + strings.Repeat("x", 5000) + "cb", "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-…" + strings.Repeat("x", 40) + "b\n\\ No newline at end of file\n+…" + strings.Repeat("x", 40) + "cb\n\\ No newline at end of file\n"},
	} {
		if diff := cmp.Diff(c.want, install.Unified("f", []byte(c.before), []byte(c.after))); diff != "" {
			t.Error(diff)
		}
	}
	if got := install.Unified("f", nil, []byte("a\n")); !strings.HasPrefix(got, "--- /dev/null\n+++ f\n") {
		t.Error(got)
	}
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n"}), 0, 30)
		before, after := strings.Join(lines.Draw(t, "before"), ""), strings.Join(lines.Draw(t, "after"), "")
		diff := install.Unified("f", []byte(before), []byte(after))
		if got, err := patched(before, diff); err != nil || got != after {
			t.Errorf("%v: %q\nwant %q\n%s", err, got, after, diff)
		}
	})
}

// patched applies a unified diff to a text.
func patched(before, diff string) (string, error) {
	var out []string
	lines, at := strings.SplitAfter(before, "\n"), 0
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
		case strings.HasPrefix(line, "@@"):
			var from, n, to, m int
			if _, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &from, &n, &to, &m); err != nil {
				return "", err
			}
			if n == 0 {
				from++
			}
			for ; at < from-1; at++ {
				out = append(out, lines[at])
			}
			if m == 0 {
				to++
			}
			if len(out) != to-1 {
				return "", fmt.Errorf("%s is at line %d", strings.TrimSpace(line), len(out)+1)
			}
		case line[0] == '+':
			out = append(out, line[1:])
		default:
			if at >= len(lines) || lines[at] != line[1:] {
				return "", fmt.Errorf("line %d isn't %q", at+1, line)
			}
			if line[0] == ' ' {
				out = append(out, line[1:])
			}
			at++
		}
	}
	return strings.Join(append(out, lines[at:]...), ""), nil
}
