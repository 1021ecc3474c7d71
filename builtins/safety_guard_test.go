package builtins_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// cwd is where the commands of the tables would run.
const cwd = "/home/kim/shop"

func newGuard(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := engine.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(t.Context()) })
	return e
}

func fire(t testing.TB, e *engine.Engine, event hooks.Event, tool, command string) *hooks.Result {
	t.Helper()
	r, err := e.Fire(t.Context(), &hooks.Context{
		Event: event, CWD: cwd,
		ToolCall: &hooks.ToolCall{Name: tool, Input: map[string]any{"command": command}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Summary.Runs) != 1 || r.Summary.Runs[0].Error != nil {
		t.Fatalf("runs: %+v", r.Summary.Runs)
	}
	return r
}

// What the reason of each kind of refusal tells the agent to do instead.
const (
	withLease   = "git push --force-with-lease"
	keepOrStash = "put them aside with git stash, or use git reset --keep"
	narrowed    = "narrow it to a DELETE with a WHERE"
)

func TestSafetyGuard(t *testing.T) {
	e := newGuard(t)
	count := 0
	for _, group := range safetyGuardGroups {
		for _, command := range group.commands {
			count++
			t.Run(group.name+"/"+command, func(t *testing.T) {
				r := fire(t, e, hooks.PreToolCall, "Bash", command)
				switch {
				case group.instead == "" && r.Decision != hooks.NoOpinion:
					t.Errorf("%s: %s", r.Decision, r.Reason)
				case group.instead != "" && r.Decision != hooks.Deny:
					t.Errorf("decision %q, want deny", r.Decision)
				case !strings.Contains(r.Reason, group.instead):
					t.Errorf("reason %q doesn't say %q", r.Reason, group.instead)
				}
			})
		}
	}
	if count == 0 {
		t.Error("no commands")
	}
}

// The same command gets the same answer whatever the host calls its shell, and on both
// events that guards stand at.
func TestSafetyGuardWithEveryShellTool(t *testing.T) {
	e := newGuard(t)
	for i, group := range safetyGuardGroups {
		command := group.commands[i%len(group.commands)]
		want := fire(t, e, hooks.PreToolCall, "bash", command)
		for _, event := range []hooks.Event{hooks.PreToolCall, hooks.PermissionRequest} {
			for _, tool := range []string{"Bash", "Shell", "run_shell_command"} {
				got := fire(t, e, event, tool, command)
				if got.Decision != want.Decision || got.Reason != want.Reason {
					t.Errorf("%s, %s, %s: %q %q, want %q %q", command, event, tool, got.Decision, got.Reason, want.Decision, want.Reason)
				}
			}
		}
	}
}

// An agent that does what a reason says must not be refused again.
func TestSafetyGuardTakesItsOwnAdvice(t *testing.T) {
	e := newGuard(t)
	for _, command := range []string{
		"git push --force-with-lease",
		"git push --force-with-lease origin main",
		"git stash",
		"git stash && git pull",
		"git reset --keep",
		"git reset --keep HEAD~1",
		"rm -rf build",
		"rm -rf " + cwd + "/build",
		`psql -c "DELETE FROM users WHERE id = 7"`,
	} {
		if r := fire(t, e, hooks.PreToolCall, "Bash", command); r.Decision != hooks.NoOpinion {
			t.Errorf("%s: %s: %s", command, r.Decision, r.Reason)
		}
	}
}

// What can't be read as a shell command is for a person to decide.
func TestSafetyGuardAsksWhereItCanNotTell(t *testing.T) {
	e := newGuard(t)
	for _, test := range []struct{ command, reason string }{
		{"echo 'no end", "Quote it so that bash would take it"},
		{"if true; then ls", "Quote it so that bash would take it"},
		{strings.Repeat("(", 5000), "Split it up"},
	} {
		r := fire(t, e, hooks.PreToolCall, "Bash", test.command)
		if r.Decision != hooks.Ask || !strings.Contains(r.Reason, test.reason) {
			t.Errorf("%.20s: %s %q, want ask with %q", test.command, r.Decision, r.Reason, test.reason)
		}
	}
	// What is understood of it still counts.
	if r := fire(t, e, hooks.PreToolCall, "Bash", "rm -rf /; echo 'no end"); r.Decision != hooks.Deny {
		t.Errorf("decision %q, want deny", r.Decision)
	}
	r, err := e.Fire(t.Context(), &hooks.Context{
		Event:    hooks.PreToolCall,
		ToolCall: &hooks.ToolCall{Name: "terminal", Kind: hooks.KindShell, Input: map[string]any{"keys": "rm -rf /\n"}},
	})
	if err != nil || r.Decision != hooks.Ask {
		t.Errorf("a shell call without a command: %v, %v", r, err)
	}
	// Nor may what stands in a key of the call that nobody knows pass unseen.
	c, err := hooks.DecodeContext([]byte(`{"tool_call":{"name":"bash","payload":{"command":"rm -rf /"}}}`), hooks.PreToolCall)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := e.Fire(t.Context(), c); err != nil || r.Decision != hooks.Ask {
		t.Errorf("a shell call with an unknown key: %v, %v", r, err)
	}
}

// A call may say itself in which folder its command starts.
func TestSafetyGuardInTheFolderOfTheCall(t *testing.T) {
	e := newGuard(t)
	for _, test := range []struct {
		key, folder string
		cwd, target string
		want        hooks.Decision
	}{
		{"workdir", "/", cwd, "etc", hooks.Deny},
		{"cwd", "/", cwd, "etc", hooks.Deny},
		{"working_directory", "..", cwd, "other", hooks.Deny},
		{"working_dir", "~", cwd, "projects", hooks.Deny},
		{"dir", "~/..", cwd, "etc", hooks.Deny},
		{"workdir", "/", "", "etc", hooks.Deny},
		{"workdir", cwd, cwd, "..", hooks.Deny},
		{"workdir", cwd, cwd, "build", hooks.NoOpinion},
		{"workdir", cwd, "", "build", hooks.NoOpinion},
		{"workdir", "src", cwd, "gen", hooks.NoOpinion},
		{"workdir", "src", "", "gen", hooks.NoOpinion},
		{"workdir", "src", "", "/srv", hooks.Deny},
		{"workdir", "/tmp", cwd, "x", hooks.NoOpinion},
		{"workdir", "", cwd, "build", hooks.NoOpinion},
	} {
		input := map[string]any{"command": []any{"rm", "-rf", test.target}, test.key: test.folder}
		c := &hooks.Context{Event: hooks.PreToolCall, CWD: test.cwd, ToolCall: &hooks.ToolCall{Name: "shell", Input: input}}
		if r, err := e.Fire(t.Context(), c); err != nil || r.Decision != test.want {
			t.Errorf("rm -rf %s with %s %q in %q: %q %v, want %q", test.target, test.key, test.folder, test.cwd, r.Decision, err, test.want)
		}
	}
	// Of two that differ, nobody knows which one counts.
	input := map[string]any{"command": "rm -rf etc", "workdir": ".", "cwd": "/"}
	c := &hooks.Context{Event: hooks.PreToolCall, CWD: cwd, ToolCall: &hooks.ToolCall{Name: "shell", Input: input}}
	if r, err := e.Fire(t.Context(), c); err != nil || r.Decision != hooks.Ask {
		t.Errorf("with two folders: %q %v, want ask", r.Decision, err)
	}
}

// Without a working folder only temporary files are known to be the agent's own by an
// absolute path, and a name still is.
func TestSafetyGuardWithoutWorkingFolder(t *testing.T) {
	e := newGuard(t)
	for command, want := range map[string]hooks.Decision{
		"rm -rf build":             hooks.NoOpinion,
		"rm -rf /tmp/build":        hooks.NoOpinion,
		"rm -rf " + cwd + "/build": hooks.Deny,
	} {
		c := &hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "Bash", Command: command}}
		if r, err := e.Fire(t.Context(), c); err != nil || r.Decision != want {
			t.Errorf("%s: %q %v, want %q", command, r.Decision, err, want)
		}
	}
	// At the root everything is inside.
	for _, command := range []string{"rm -rf /etc", "rm -rf etc"} {
		for _, root := range []string{"/", "//", "/.", "/tmp/.."} {
			c := &hooks.Context{Event: hooks.PreToolCall, CWD: root, ToolCall: &hooks.ToolCall{Name: "Bash", Command: command}}
			if r, err := e.Fire(t.Context(), c); err != nil || r.Decision != hooks.Deny {
				t.Errorf("%s in %s: %q %v, want deny", command, root, r.Decision, err)
			}
		}
	}
}

func TestSafetyGuardOptions(t *testing.T) {
	for _, test := range []struct {
		with map[string]any
		want string // in the load error; empty: there is none
	}{
		{nil, ""},
		{map[string]any{"level": "standard"}, ""},
		{map[string]any{"levle": "standard"}, `safety-guard has no option "levle"; it has: level`},
		{map[string]any{"level": "lax"}, `safety-guard has no level "lax"; it has: standard`},
		{map[string]any{"level": true}, `safety-guard has no level "true"; it has: standard`},
	} {
		e, err := engine.New(engine.WithoutBuiltins(), engine.WithBuiltin("safety-guard", test.with))
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close(t.Context())
		problems := e.Problems()
		switch {
		case test.want == "" && len(problems) > 0:
			t.Errorf("%v: %v", test.with, problems)
		case test.want != "" && (len(problems) != 1 || !strings.Contains(problems[0].Error(), test.want)):
			t.Errorf("%v: %v, want %q", test.with, problems, test.want)
		}
	}
}
