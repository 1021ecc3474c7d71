package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// failuresTold gathers what WithOnError hears.
type failuresTold struct {
	mu   sync.Mutex
	list []engine.AgentError
}

func (t *failuresTold) option() engine.Option {
	return engine.WithOnError(func(_ context.Context, err engine.AgentError) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.list = append(t.list, err)
	})
}

func (t *failuresTold) lines() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for _, e := range t.list {
		lines = append(lines, fmt.Sprintf("%s %s %s: %s", e.Kind, e.Event.Error.Event, e.Event.Error.Hook, e.Message))
	}
	return strings.Join(lines, "\n")
}

// reporter is a hook of on_error that says what it was told.
const reporter = `
on("on_error", {name="reporter", match="hook"}, function(ev)
  local e = ev.error
  return message(table.concat({e.kind, e.event, e.hook, e.source or "-", e.message, tostring(e.is_retryable), ev.session_id or "-"}, "|")), context("told")
end)
`

// Each failure of a hook is an on_error, with the hook, its place and its event.
func TestFailuresOfHooksAreErrors(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"a script", `on("pre_tool_call", {name="h"}, function() error("boom") end)`, "hook|pre_tool_call|h|a.lua:6|hook h (a.lua:6): boom|false|s"},
		{"a limit", `on("pre_tool_call", {name="h"}, function() while true do end end)`, "hook|pre_tool_call|h|a.lua:6|hook h (a.lua:6): it used up its"},
		{"an answer", `on("pre_tool_call", {name="h"}, function() return 5 end)`, "hook|pre_tool_call|h|a.lua:6|hook h (a.lua:6): answer: got a number"},
		{"on_failure warn", `on("pre_tool_call", {name="h", on_failure="warn"}, function() error("boom") end)`, "hook|pre_tool_call|h|a.lua:6|hook h (a.lua:6): boom|false|s"},
		{"on_failure ignore", `on("pre_tool_call", {name="h", on_failure="ignore"}, function() error("boom") end)`, "hook|pre_tool_call|h|a.lua:6|hook h (a.lua:6): boom|false|s"},
		{"a parallel one", `on("pre_tool_call", {name="h", mode="parallel"}, function() error("boom") end)`, "hook|pre_tool_call|h|a.lua:6|hook h (a.lua:6): boom|false|s"},
		{"one that judges again", `on("pre_tool_call", {name="h"}, function(ev) if ev.judging then error("boom") end end)
on("pre_tool_call", function() return modify{command="x"} end)`, "hook|pre_tool_call|h|a.lua:6|hook h (a.lua:6): boom|false|s"},
		{"none", `on("pre_tool_call", {name="h"}, function() return deny("no") end)`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			heard := &failuresTold{}
			e := lua(t, reporter+tt.source, heard.option(), patient)
			c := bash("ls")
			c.SessionID = "s"
			r := fire(t, e, c)
			if tt.want == "" {
				equal(t, "told", r.SystemMessage+heard.lines(), "")
				return
			}
			if !strings.HasPrefix(r.SystemMessage, tt.want) || strings.Contains(r.SystemMessage, "\n") {
				t.Errorf("message: %s\nwant: %s", r.SystemMessage, tt.want)
			}
			equal(t, "context", asJSON(t, r.Contexts), `[{"hook":"reporter","text":"told"}]`)
			equal(t, "heard", len(heard.list), 1)
			equal(t, "kind", heard.list[0].Kind, "hook")
			var failure *hooks.Error
			if !errors.As(heard.list[0].Err, &failure) || failure.Hook != "h" {
				t.Errorf("the error: %v", heard.list[0].Err)
			}
		})
	}
}

// Files that don't load, commands, Go hooks, async hooks and observers are no exception.
func TestAllFailuresAreTold(t *testing.T) {
	heard := &failuresTold{}
	e, _ := project(t, `
-- .hooks/broken.lua --
on("pre_tool_call"
-- .hooks/hooks.yaml --
hooks:
  stop: [{name: cmd, command: exit 7}, {name: quiet, mode: async, command: exit 8}]
`, heard.option(), engine.WithObserver(panics{}))
	register(t, e, hooks.SessionEnd, hooks.Options{Name: "go"}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		return nil, errors.New("boom")
	})
	fire(t, e, bash("ls"))
	fire(t, e, &hooks.Context{Event: hooks.SessionEnd})
	fire(t, e, &hooks.Context{Event: hooks.Stop})
	if err := e.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	contains(t, heard.lines(), "hook pre_tool_call load: hook load (.hooks/broken.lua:2): syntax error", "hook session_end go: hook go (main_test.go:", "hook stop cmd: hook cmd (.hooks/hooks.yaml:2): exit status 7",
		"hook stop quiet: hook quiet (.hooks/hooks.yaml:2): exit status 8", "hook session_end WithObserver: hook WithObserver: the observer panicked: broken")
}

// panics is an observer that does so at one event.
type panics struct{}

func (panics) RunStarted(context.Context, hooks.Run) {}
func (panics) RunCompleted(_ context.Context, run hooks.Run) {
	if run.Event == hooks.SessionEnd || run.Event == hooks.OnError {
		panic("broken")
	}
}

// What fails while it is told of a failure isn't told of again, and neither is a failure of
// on_error itself.
func TestFailuresWithinOnErrorEnd(t *testing.T) {
	heard := &failuresTold{}
	e := newEngine(t, patient, heard.option())
	ran := 0
	register(t, e, hooks.OnError, hooks.Options{Name: "fires"}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		ran++
		_, err := e.Fire(ctx, bash("again"))
		return nil, errors.Join(err, errors.New("and fails"))
	})
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "guard"}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		return nil, errors.New("boom")
	})
	r := fire(t, e, bash("ls"))
	equal(t, "ran", ran, 1)
	equal(t, "told", heard.lines(), "hook pre_tool_call guard: hook guard (main_test.go:123): boom")
	contains(t, strings.Join(r.Warnings, "\n"), "hook fires (main_test.go:123): and fails")
	fire(t, e, &hooks.Context{Event: hooks.OnError, Error: &hooks.ErrorInfo{Message: "m"}})
	equal(t, "told of the agent's error, and of the guard's failure under it", len(heard.list), 3)
}

// However many hooks of an event fail, on_error is fired a few times, and not for long.
func TestFailuresThatAreToldAreBounded(t *testing.T) {
	heard := &failuresTold{}
	e := lua(t, `for i = 1, 50 do on("stop", function() error(tostring(i)) end) end`, heard.option())
	fire(t, e, &hooks.Context{Event: hooks.Stop})
	equal(t, "told", len(heard.list), 8)

	synctest.Test(t, func(t *testing.T) {
		e, err := engine.New(engine.WithoutBuiltins(), patient, engine.WithScript("a.lua", `for i = 1, 50 do on("stop", function() error(tostring(i)) end) end`))
		if err != nil {
			t.Fatal(err)
		}
		register(t, e, hooks.OnError, hooks.Options{Name: "slow", Timeout: time.Hour}, sleeps(time.Hour))
		began := time.Now()
		r := fire(t, e, &hooks.Context{Event: hooks.Stop})
		equal(t, "took", time.Since(began), 5*time.Second)
		contains(t, strings.Join(r.Warnings, "\n"), "on_error was cut off after 5s")
		if err := e.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	})
}

// Who has given up waits for nothing, and has no failures told that are his doing.
func TestFailuresOfACallerThatGaveUp(t *testing.T) {
	heard := &failuresTold{}
	e := newEngine(t, patient, heard.option())
	ctx, cancel := context.WithCancel(context.Background())
	register(t, e, hooks.Stop, hooks.Options{Name: "h"}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		cancel()
		return nil, ctx.Err()
	})
	if _, err := e.Fire(ctx, &hooks.Context{Event: hooks.Stop}); err == nil {
		t.Error("no error")
	}
	equal(t, "told", heard.lines(), "")
}

// An async hook of on_error hears of an async hook that fails while the engine is closing.
func TestFailuresWhileClosing(t *testing.T) {
	e, err := engine.New(engine.WithoutBuiltins(), patient)
	if err != nil {
		t.Fatal(err)
	}
	letGo, heard := make(chan struct{}), make(chan string, 2)
	register(t, e, hooks.Stop, hooks.Options{Name: "fails", Mode: hooks.ModeAsync}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		<-letGo
		return nil, errors.New("boom")
	})
	for _, mode := range []hooks.Mode{hooks.ModeSync, hooks.ModeAsync} {
		register(t, e, hooks.OnError, hooks.Options{Mode: mode}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
			heard <- string(mode) + " " + c.Error.Hook
			return nil, nil
		})
	}
	fire(t, e, &hooks.Context{Event: hooks.Stop})
	closed := make(chan error)
	go func() { closed <- e.Close(context.Background()) }()
	for errors.Is(func() error { _, err := e.Fire(context.Background(), bash("ls")); return err }(), nil) { // until it is closing
		time.Sleep(time.Millisecond)
	}
	close(letGo)
	if err := <-closed; err != nil {
		t.Error(err)
	}
	equal(t, "heard", <-heard+", "+<-heard, "sync fails, async fails")
}
