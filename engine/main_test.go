package engine_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patient lets hooks wait for what the test does in between.
var patient = engine.WithLimits(engine.Limits{Timeout: time.Hour})

// newEngine makes an engine without built-ins that is closed with the test.
func newEngine(t testing.TB, options ...engine.Option) *engine.Engine {
	t.Helper()
	e, err := engine.New(append([]engine.Option{engine.WithoutBuiltins()}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return e
}

// lua makes an engine with one script, a.lua.
func lua(t testing.TB, source string, options ...engine.Option) *engine.Engine {
	t.Helper()
	return newEngine(t, append(options, engine.WithScript("a.lua", source))...)
}

// project makes an engine with the files of a project that is trusted, written as
// "-- path --" sections.
func project(t testing.TB, files string, options ...engine.Option) (e *engine.Engine, root string) {
	t.Helper()
	root = tree(t, files)
	return newEngine(t, append(options, trusted(t, root), engine.WithProject(engine.Project{Root: root}))...), root
}

// trusted lets a project do all that its hooks say, whatever it holds.
func trusted(t testing.TB, root string) engine.Option {
	t.Helper()
	store := filepath.Join(t.TempDir(), "trust.json")
	pin(t, store, root)
	return engine.WithTrust(store)
}

// tree writes files into a new folder: "-- path --" lines, each followed by the
// file's text.
func tree(t testing.TB, files string) string {
	t.Helper()
	root := t.TempDir()
	write(t, root, files)
	return root
}

func write(t testing.TB, root, files string) {
	t.Helper()
	path, text := "", strings.Builder{}
	flush := func() {
		if path == "" {
			return
		}
		p := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		text.Reset()
	}
	for line := range strings.Lines(files) {
		name, isName := strings.CutPrefix(strings.TrimSpace(line), "-- ")
		if name, ok := strings.CutSuffix(name, " --"); ok && isName {
			flush()
			path = name
			continue
		}
		text.WriteString(line)
	}
	flush()
}

// event reads an event from JSON.
func event(t testing.TB, name hooks.Event, text string) *hooks.Context {
	t.Helper()
	c, err := hooks.DecodeContext([]byte(text), name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func bash(command string) *hooks.Context {
	return &hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Input: map[string]any{"command": command}}}
}

func fire(t testing.TB, e *engine.Engine, c *hooks.Context) *hooks.Result {
	t.Helper()
	r, err := e.Fire(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func register(t testing.TB, e *engine.Engine, event hooks.Event, o hooks.Options, fn hooks.Func) (unregister func()) {
	t.Helper()
	unregister, err := e.RegisterHook(event, o, fn)
	if err != nil {
		t.Fatal(err)
	}
	return unregister
}

// runs lists the hooks that ran, with a * for the judging round.
func runs(r *hooks.Result) string {
	var names []string
	for _, run := range r.Summary().Runs {
		name := run.Hook
		if run.Judging {
			name += "*"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func contains(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q\ndoesn't contain %q", text, part)
		}
	}
}

func equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// problems is all that an engine can't load, a line each.
func problems(e *engine.Engine) string {
	var lines []string
	for _, err := range e.LoadErrors() {
		lines = append(lines, err.Error())
	}
	return strings.Join(lines, "\n")
}

// counter is a host object that scripts tell what happens to.
type counter struct {
	mu     sync.Mutex
	counts map[string]int
}

func (c *counter) Add(what string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	c.counts[what]++
	return c.counts[what]
}

func (c *counter) of(what string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts[what]
}
