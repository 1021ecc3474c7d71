//go:build unix

package command_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/luahook/luahook/engine/internal/command"
	"github.com/luahook/luahook/hooks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// call is a call with that event in a folder of its own.
func call(t testing.TB, event *hooks.Context) command.Call {
	t.Helper()
	return command.Call{Event: event, Hook: "check", ProjectDir: t.TempDir(), Depth: 1}
}

// bash is a call of the shell tool.
func bash(t testing.TB, text string) *hooks.Context {
	t.Helper()
	return event(t, `{"event":"pre_tool_call","session_id":"s1","tool_call":{"name":"Bash","input":{"command":`+quoted(t, text)+`}}}`)
}

func event(t testing.TB, text string) *hooks.Context {
	t.Helper()
	c, err := hooks.DecodeContext([]byte(text), "")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func quoted(t testing.TB, text string) string {
	t.Helper()
	b, err := hooks.EncodeJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func shell(t testing.TB, text string) *command.Command {
	t.Helper()
	c, err := command.New(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func run(c *command.Command, call command.Call) command.Outcome {
	return c.Run(context.Background(), call)
}

// stdout runs a shell text for an event and returns what it has written.
func stdout(t testing.TB, text string, call command.Call) string {
	t.Helper()
	out := run(shell(t, text), call)
	if out.Run == nil || out.Run.ExitCode != 0 {
		t.Fatalf("%s: %v", text, out.Err)
	}
	return out.Run.Stdout
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func contains(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q\ndoesn't contain %q", text, part)
		}
	}
}
