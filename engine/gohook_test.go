package engine_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

func TestRegisterHookChecks(t *testing.T) {
	e := newEngine(t)
	bad := func(fields map[string]string) *hooks.Matcher {
		m, err := hooks.MatchFields(fields)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	tests := []struct {
		name  string
		event hooks.Event
		o     hooks.Options
		fn    hooks.Func
		want  string
	}{
		{"event", "pre_tol_call", hooks.Options{}, nothing, `did you mean "pre_tool_call"`},
		{"function", hooks.Stop, hooks.Options{}, nil, "the function is nil"},
		{"matcher", hooks.Stop, hooks.Options{Match: hooks.MustMatch("bash")}, nothing, "stop has nothing that a name could match"},
		{"field", hooks.PreToolCall, hooks.Options{Match: bad(map[string]string{"tool_call.knd": "shell"})}, nothing, `did you mean "kind"`},
		{"policy", hooks.Stop, hooks.Options{OnFailure: "blok"}, nothing, `did you mean "block"`},
		{"timeout", hooks.Stop, hooks.Options{Timeout: -time.Second}, nothing, "the timeout is -1s, want more than nothing"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			unregister, err := e.RegisterHook(test.event, test.o, test.fn)
			if err == nil || unregister != nil {
				t.Fatal("it was registered")
			}
			contains(t, err.Error(), "luahook: ", test.want)
		})
	}
	equal(t, "generation", e.Generation(), 1)
}

func TestRegisterHookMatchAndOrder(t *testing.T) {
	e := lua(t, `on("pre_tool_call", {name="script", priority=5}, function() end)`)
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "low"}, nothing)
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "same", Priority: 5}, nothing)
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "high", Priority: 9}, nothing)
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "write", Match: hooks.MustMatch("write")}, nothing)
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "off", Disabled: true}, nothing)
	equal(t, "runs", runs(fire(t, e, bash("ls"))), "high same script low")
	equal(t, "runs", runs(fire(t, e, event(t, hooks.PreToolCall, `{"tool_call":{"name":"create_file","input":{"path":"x"}}}`))), "high same script low write")
	// Without a name it is called after its place.
	unregister, err := e.RegisterHook(hooks.Stop, hooks.Options{}, nothing)
	if err != nil {
		t.Fatal(err)
	}
	defer unregister()
	name := runs(fire(t, e, &hooks.Context{Event: hooks.Stop}))
	if !strings.HasPrefix(name, "go:gohook_test.go:") {
		t.Errorf("name: %s", name)
	}
}

func TestUnregister(t *testing.T) {
	e := newEngine(t)
	a := register(t, e, hooks.PreToolCall, hooks.Options{Name: "a"}, nothing)
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "b"}, nothing)
	equal(t, "runs", runs(fire(t, e, bash("ls"))), "a b")
	generation := e.Generation()
	var all sync.WaitGroup
	for range 8 {
		all.Go(a)
	}
	all.Wait()
	a()
	equal(t, "runs", runs(fire(t, e, bash("ls"))), "b")
	equal(t, "generations of one unregistering", e.Generation()-generation, 1)
}

func TestUnregisterLetsARunFinish(t *testing.T) {
	e := newEngine(t, patient)
	started, release := make(chan bool), make(chan bool)
	unregister := register(t, e, hooks.PreToolCall, hooks.Options{}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		started <- true
		<-release
		return &hooks.Result{Decision: hooks.Deny, Reason: "no"}, nil
	})
	got := make(chan *hooks.Result)
	go func() { r, _ := e.Fire(context.Background(), bash("ls")); got <- r }()
	<-started
	unregister()
	equal(t, "next", runs(fire(t, e, bash("ls"))), "")
	release <- true
	equal(t, "the run that had begun", (<-got).Reason, "no")
}

func TestGoHookPanics(t *testing.T) {
	e := newEngine(t)
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "a", OnFailure: hooks.Warn}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
		panic(fmt.Errorf("oh no, %s", c.ToolCall.Command))
	})
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "b", OnFailure: hooks.Warn}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		runtime.Goexit()
		return nil, nil
	})
	r := fire(t, e, bash("ls"))
	contains(t, strings.Join(r.Warnings, "\n"), "it panicked: oh no, ls", "it ended its goroutine")
	contains(t, r.Summary().Runs[0].Error.Traceback, "TestGoHookPanics")
}

// A hook that doesn't return is left behind, its answer is dropped, and Close waits
// for it.
func TestGoHookTimeout(t *testing.T) {
	tests := []struct {
		name    string
		timeout time.Duration
		engine  engine.Limits
		want    time.Duration
	}{
		{"its own", time.Millisecond, engine.Limits{}, time.Millisecond},
		{"the engine's", 0, engine.Limits{Timeout: 2 * time.Second}, 2 * time.Second},
		{"longer than the engine's", time.Minute, engine.Limits{Timeout: time.Second}, time.Minute},
		{"the default", 0, engine.Limits{}, time.Second},
	}
	for _, test := range tests {
		bubble(t, test.name, func(t *testing.T) {
			e := newEngine(t, engine.WithLimits(test.engine))
			release := make(chan bool)
			register(t, e, hooks.PreToolCall, hooks.Options{Name: "stuck", Timeout: test.timeout}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
				<-release
				return &hooks.Result{Decision: hooks.Allow}, nil
			})
			began := time.Now()
			r := fire(t, e, bash("ls"))
			equal(t, "time", time.Since(began), test.want)
			equal(t, "decision", r.Decision, hooks.Deny)
			contains(t, r.Reason, "hook stuck", "it ran longer than its "+test.want.String())
			run := r.Summary().Runs[0]
			if run.Error.Kind != hooks.KindLimit || run.Error.Limit != hooks.LimitTime {
				t.Errorf("run: %s", asJSON(t, run))
			}
			over, cancel := context.WithCancel(context.Background())
			cancel()
			if err := e.Close(over); !errors.Is(err, context.Canceled) {
				t.Errorf("Close didn't wait: %v", err)
			}
			close(release)
		})
	}
}

// bubble is t.Run with a clock that moves only when everything waits.
func bubble(t *testing.T, name string, test func(*testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

// A hook that obeys its context fails by time as well, not with an error of its own.
func TestGoHookObeysItsContext(t *testing.T) {
	e := newEngine(t)
	register(t, e, hooks.PreToolCall, hooks.Options{Timeout: time.Nanosecond}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		<-ctx.Done()
		return nil, fmt.Errorf("asking: %w", ctx.Err())
	})
	for range 500 {
		r := fire(t, e, bash("ls"))
		equal(t, "limit", r.Summary().Runs[0].Error.Limit, hooks.LimitTime)
	}
	e = newEngine(t, patient)
	entered := make(chan bool, 1)
	register(t, e, hooks.PreToolCall, hooks.Options{}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		entered <- true
		<-ctx.Done()
		return nil, ctx.Err()
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-entered; cancel() }()
	r, err := e.Fire(ctx, bash("ls"))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error: %v", err)
	}
	contains(t, r.Reason, "the caller gave up: context canceled")
}

// What a hook does to its copy, or to its answer afterwards, changes nothing.
func TestGoHookOwnsItsCopy(t *testing.T) {
	e := newEngine(t)
	mine := &hooks.Result{Input: map[string]any{"command": "x", "env": []any{"a"}}, Data: map[string]any{"l": []any{"a"}}, NewContext: "c"}
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "a", Priority: 1}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
		c.Event, c.ToolCall = hooks.RunEnd, nil // which can be neither blocked nor rewritten
		return mine, nil
	})
	var saw string
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "b"}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
		mine.Input["env"].([]any)[0], mine.Data["l"].([]any)[0] = "scribbled", "scribbled"
		saw = asJSON(t, c.ToolCall.Input)
		return nil, nil
	})
	r := fire(t, e, bash("ls"))
	equal(t, "runs", runs(r), "a b")
	equal(t, "what the next one saw", saw, `{"command":"x","env":["a"]}`)
	equal(t, "result", asJSON(t, r.Input)+asJSON(t, r.Data), `{"command":"x","env":["a"]}{"l":["a"]}`)
}

func TestGoHookContexts(t *testing.T) {
	e := newEngine(t)
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "a"}, answer(&hooks.Result{Contexts: []hooks.ContextEntry{{Text: "x"}}}, nil))
	r := fire(t, e, bash("ls"))
	equal(t, "contexts", asJSON(t, r.Contexts), `[{"hook":"a","text":"x"}]`)
	equal(t, "entries", asJSON(t, r.Summary().Runs[0].Entries), `[{"kind":"context","text":"x"}]`)
}

// A typed failure of a hook's own keeps its kind and gets the hook's name.
func TestGoHookTypedError(t *testing.T) {
	e := newEngine(t)
	own := &hooks.Error{Kind: hooks.KindCommand, Message: "exit status 1"}
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "a"}, answer(nil, own))
	r := fire(t, e, bash("ls"))
	equal(t, "kind", r.Summary().Runs[0].Error.Kind, hooks.KindCommand)
	contains(t, r.Reason, "hook a failed at main_test.go:", "exit status 1")
	if own.Hook != "" || own.Source != "" {
		t.Errorf("the hook's error was changed: %+v", own)
	}
}

// The event is the caller's again when Fire returns, though a hook that was left
// behind still looks at it. (What fails here is the race detector.)
func TestGoHookLeftBehindHasItsOwnCopy(t *testing.T) {
	for range 200 {
		e := newEngine(t)
		register(t, e, hooks.PreToolCall, hooks.Options{Timeout: time.Nanosecond}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
			_ = c.ToolCall.Input["command"]
			return nil, nil
		})
		c := bash("ls")
		fire(t, e, c)
		c.ToolCall.Input["command"] = "changed"
	}
}
