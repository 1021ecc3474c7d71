package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// fireWatcher keeps what it is told of events and runs, a line each. It numbers events in their contexts.
type fireWatcher struct {
	mu      sync.Mutex
	name    string
	fires   int
	lines   []string
	started func(ctx context.Context, c *hooks.Context) context.Context // what FireStarted does besides; or nil
	ended   func()                                                      // FireCompleted; or nil
}

type fireKey string

// within names the events that a context lies in, from the outermost on.
func (w *fireWatcher) within(ctx context.Context) string {
	path, _ := ctx.Value(fireKey(w.name)).(string)
	return path
}

func (w *fireWatcher) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
}

func (w *fireWatcher) FireStarted(ctx context.Context, c *hooks.Context) context.Context {
	w.mu.Lock()
	w.fires++
	path := fmt.Sprintf("%s/%d", w.within(ctx), w.fires)
	w.mu.Unlock()
	w.note("%s fired %s", path, c.Event)
	if w.started != nil {
		return w.started(ctx, c)
	}
	return context.WithValue(ctx, fireKey(w.name), path)
}

func (w *fireWatcher) FireCompleted(ctx context.Context, r *hooks.Result, err error) {
	w.note("%s decided %s %q %v", w.within(ctx), r.Summary().Event, r.Decision, err)
	if w.ended != nil {
		w.ended()
	}
}

func (w *fireWatcher) RunStarted(ctx context.Context, run hooks.Run) {
	w.note("%s started %s", w.within(ctx), run.Hook)
}

func (w *fireWatcher) RunCompleted(ctx context.Context, run hooks.Run) {
	w.note("%s completed %s", w.within(ctx), run.Hook)
}

func (w *fireWatcher) told() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.lines, "\n")
}

// The context that an observer gives an event is that of its hooks, of what they fire, and of the async runs.
func TestFireObserversGiveTheContext(t *testing.T) {
	w := &fireWatcher{}
	e := lua(t, `on("stop", {name="nested"}, function() end)`, engine.WithObserver(w))
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "go"}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		w.note("%s at work", w.within(ctx))
		_, err := e.Fire(ctx, &hooks.Context{Event: hooks.Stop})
		return &hooks.Result{Decision: hooks.Deny, Reason: "no"}, err
	})
	register(t, e, hooks.PostToolCall, hooks.Options{Name: "later", Mode: hooks.ModeAsync}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		w.note("%s at work", w.within(ctx))
		return nil, nil
	})
	fire(t, e, bash("ls"))
	equal(t, "told", w.told(), `/1 fired pre_tool_call
/1 started go
/1 at work
/1/2 fired stop
/1/2 started nested
/1/2 completed nested
/1/2 decided stop "" <nil>
/1 completed go
/1 decided pre_tool_call "deny" <nil>`)
	w.lines = nil
	after := bash("ls")
	after.Event = hooks.PostToolCall
	fire(t, e, after)
	if err := e.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	contains(t, w.told(), "/3 fired post_tool_call", `/3 decided post_tool_call "" <nil>`, "/3 started later\n/3 at work\n/3 completed later")
}

// Each event is told of, whatever becomes of it.
func TestFireObserversHearOfEachEvent(t *testing.T) {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	tests := []struct {
		name   string
		ctx    context.Context
		event  *hooks.Context
		closed bool
		want   string
	}{
		{"no hook", nil, &hooks.Context{Event: hooks.Stop}, false, "/1 fired stop\n/1 decided stop \"\" <nil>"},
		{"an unknown one", nil, &hooks.Context{Event: "pre_tool_cal"}, false, "/1 fired pre_tool_cal\n/1 decided pre_tool_cal \"deny\" unknown event"},
		{"none", nil, nil, false, "/1 fired \n/1 decided  \"deny\" event: there is none"},
		{"one that lacks something", nil, &hooks.Context{Event: hooks.PreToolCall}, false, "/1 fired pre_tool_call\n/1 decided pre_tool_call \"deny\" event: "},
		{"the caller has gone", gone, bash("ls"), false, "/1 fired pre_tool_call\n/1 started a\n/1 completed a\n/1 decided pre_tool_call \"deny\" context canceled"},
		{"a closed engine", nil, bash("ls"), true, "/1 fired pre_tool_call\n/1 decided pre_tool_call \"deny\" luahook: the engine is closed"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := &fireWatcher{}
			e := lua(t, `on("pre_tool_call", {name="a"}, function() end)`, engine.WithObserver(w))
			if test.closed {
				if err := e.Close(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			ctx := test.ctx
			if ctx == nil {
				ctx = context.Background()
			}
			_, _ = e.Fire(ctx, test.event)
			if told := w.told(); !strings.HasPrefix(told, test.want) {
				t.Errorf("told:\n%s\nwant:\n%s", told, test.want)
			}
		})
	}
}

// What the engine fires itself for a hook that failed comes from the event that it failed in.
func TestFireObserversHearOfOnError(t *testing.T) {
	w := &fireWatcher{}
	e := lua(t, `on("pre_tool_call", {name="fails"}, function() error("x") end) on("on_error", {name="hears"}, function() end)`, engine.WithObserver(w))
	fire(t, e, bash("ls"))
	contains(t, w.told(), "/1 completed fails\n/1/2 fired on_error\n/1/2 started hears\n/1/2 completed hears\n/1/2 decided on_error \"\" <nil>\n/1 decided pre_tool_call \"deny\" <nil>")
}

// An observer that fails harms neither the event nor other observers, and one that gives no context changes none.
func TestFireObserversThatFail(t *testing.T) {
	var log bytes.Buffer
	silent := &fireWatcher{name: "silent", started: func(context.Context, *hooks.Context) context.Context { return nil }}
	starts := &fireWatcher{name: "starts", started: func(context.Context, *hooks.Context) context.Context { panic("the start broke") }}
	ends := &fireWatcher{name: "ends", ended: func() { panic("the end broke") }}
	last := &fireWatcher{name: "last"}
	e := lua(t, `on("pre_tool_call", {name="a"}, function() return deny("no") end)`, engine.WithLogger(slog.New(slog.NewTextHandler(&log, nil))),
		engine.WithObserver(silent), engine.WithObserver(starts), engine.WithObserver(ends), engine.WithObserver(last))
	equal(t, "decision", fire(t, e, bash("ls")).Decision, hooks.Deny)
	equal(t, "silent", silent.told(), "/1 fired pre_tool_call\n started a\n completed a\n decided pre_tool_call \"deny\" <nil>")
	equal(t, "starts", starts.told(), "/1 fired pre_tool_call\n started a\n completed a")
	for _, w := range []*fireWatcher{ends, last} {
		equal(t, w.name, w.told(), "/1 fired pre_tool_call\n/1 started a\n/1 completed a\n/1 decided pre_tool_call \"deny\" <nil>")
	}
	contains(t, log.String(), `callback=WithObserver panic="the start broke"`, `callback=WithObserver panic="the end broke"`)
}

// Observers of runs alone leave an event that no hook is registered for as cheap as it is.
func TestRunObserversCostNothingWithoutHooks(t *testing.T) {
	e, ctx, c := newEngine(t, engine.WithObserver(&watcher{})), context.Background(), &hooks.Context{Event: hooks.Stop}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := e.Fire(ctx, c); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
