package wire_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/hooks/wire"
)

// TestSessions plays whole sessions, in the form that the agents document, through a real engine with the built-in
// guard and testdata/sessions/policy.lua. The lines of a session:
//
//	event [NAME] JSON   what the agent sends; NAME is what the command line calls it
//	exit N, stdout LINE, stderr LINE
//	                    what is answered, to the byte; nothing is silence. GUARD stands for the guard's reason as JSON
func TestSessions(t *testing.T) {
	files, err := filepath.Glob("testdata/sessions/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no sessions", err)
	}
	policy, err := os.ReadFile("testdata/sessions/policy.lua")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			e, err := engine.New(engine.WithScript("policy.lua", string(policy)))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = e.Close(context.Background()) })
			if errs := e.LoadErrors(); len(errs) > 0 {
				t.Fatal(errs)
			}
			guard, agent := reasonOfGuard(t, e), wire.Named(name)
			for _, s := range sessionSteps(t, file) {
				call, err := agent.Decode([]byte(s.event), s.name)
				if err != nil {
					t.Fatalf("%s: %v", s.event, err)
				}
				r, err := e.Fire(context.Background(), call.Context)
				if err != nil {
					t.Fatalf("%s: %v", s.event, err)
				}
				out, stdout := call.Encode(r), strings.ReplaceAll(s.stdout, "GUARD", guard)
				if string(out.Stdout) != stdout || out.Stderr != s.stderr || out.Exit != s.exit {
					t.Errorf("%s:\n got exit %d, stderr %q, stdout %q\nwant exit %d, stderr %q, stdout %q",
						s.event, out.Exit, out.Stderr, out.Stdout, s.exit, s.stderr, stdout)
				}
			}
		})
	}
}

// step is one event of a session, and what must be answered.
type step struct {
	name, event    string
	stdout, stderr string
	exit           int
}

// sessionSteps reads a session.
func sessionSteps(t *testing.T, file string) []step {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var steps []step
	for line := range strings.Lines(string(data)) {
		what, rest, _ := strings.Cut(line, " ")
		if what == "event" {
			name, event, _ := strings.Cut(rest, "{")
			steps = append(steps, step{name: strings.TrimSpace(name), event: "{" + event})
			continue
		}
		last := &steps[len(steps)-1]
		switch what {
		case "exit":
			if _, err := fmt.Sscan(rest, &last.exit); err != nil {
				t.Fatalf("%s: %q: %v", file, line, err)
			}
		case "stdout":
			last.stdout += rest
		case "stderr":
			last.stderr += rest
		default:
			t.Fatalf("%s: %q is none of event, exit, stdout, stderr", file, line)
		}
	}
	return steps
}

// reasonOfGuard is what the guard says about rm -rf /, as JSON.
func reasonOfGuard(t *testing.T, e *engine.Engine) string {
	t.Helper()
	r, err := e.Fire(context.Background(), &hooks.Context{
		Event: hooks.PreToolCall, CWD: "/w", ToolCall: &hooks.ToolCall{Name: "bash", Command: "rm -rf /"},
	})
	if err != nil || !r.Block || r.Reason == "" {
		t.Fatalf("the guard lets it pass: %+v, %v", r, err)
	}
	reason, err := hooks.EncodeJSON(r.Reason)
	if err != nil {
		t.Fatal(err)
	}
	return string(reason)
}
