package engine_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// observerThatHangs holds up each run of an async hook until it is let go.
type observerThatHangs struct{ letGo chan struct{} }

func (o observerThatHangs) RunStarted(context.Context, hooks.Run) {}
func (o observerThatHangs) RunCompleted(_ context.Context, run hooks.Run) {
	if run.Mode == hooks.ModeAsync {
		<-o.letGo
	}
}

// Close ends whatever an async hook does: it is told who has not come to an end, and
// another Close waits for that.
func TestCloseEndsWithHooksThatDont(t *testing.T) {
	tests := []struct {
		name     string
		observed bool
		deadline bool // of the context that Close has
		took     time.Duration
		told     string
	}{
		{"a hook, a deadline", false, true, 10 * time.Second, "async hooks that were dropped or ended: 1: context deadline exceeded\n1 call has not come back (hook async)"},
		{"a hook, no deadline", false, false, time.Minute, "1 call has not come back (hook async)"},
		{"an observer, a deadline", true, true, 13 * time.Second, "dropped or ended: 1: context deadline exceeded; not at their end yet: hook async (main_test.go:"},
		{"an observer, no deadline", true, false, time.Minute + 3*time.Second, "not at their end yet: hook async"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				options := []engine.Option{engine.WithoutBuiltins()}
				letGo := make(chan struct{})
				if tt.observed {
					options = append(options, engine.WithObserver(observerThatHangs{letGo}))
				}
				e, err := engine.New(options...)
				if err != nil {
					t.Fatal(err)
				}
				register(t, e, hooks.Stop, hooks.Options{Name: "async", Mode: hooks.ModeAsync, Timeout: time.Hour}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
					<-letGo // whatever its context says
					return nil, nil
				})
				fire(t, e, &hooks.Context{Event: hooks.Stop})
				ctx, began := context.Background(), time.Now()
				if tt.deadline {
					within, cancel := context.WithTimeout(ctx, 10*time.Second)
					defer cancel()
					ctx = within
				}
				err = e.Close(ctx)
				equal(t, "waited", time.Since(began), tt.took)
				if err == nil || !strings.Contains(err.Error(), tt.told) {
					t.Errorf("Close: %v\nwant %s", err, tt.told)
				}
				close(letGo)
				if err := e.Close(context.Background()); err != nil {
					t.Errorf("Close once more: %v", err)
				}
			})
		})
	}
}

// Drain waits for async hooks and leaves the engine as it is.
func TestDrain(t *testing.T) {
	e := newEngine(t, patient)
	letGo := make(chan struct{})
	register(t, e, hooks.Stop, hooks.Options{Mode: hooks.ModeAsync, Timeout: time.Hour}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		<-letGo
		return nil, nil
	})
	fire(t, e, &hooks.Context{Event: hooks.Stop})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Drain(ended); err == nil {
		t.Error("Drain has not waited")
	}
	close(letGo)
	for range 2 {
		if err := e.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		fire(t, e, &hooks.Context{Event: hooks.Stop})
	}
	equal(t, "dropped", e.Counters().AsyncDropped, 0)
}

// What BeforeClose was given fires its events while the engine still judges them, once, and a
// panic of it keeps nobody from closing.
func TestBeforeClose(t *testing.T) {
	e, err := engine.New(engine.WithoutBuiltins())
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	register(t, e, hooks.SessionEnd, hooks.Options{Name: "end"}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
		told = append(told, c.SessionID)
		return nil, nil
	})
	end := func(id string) func(context.Context) {
		return func(ctx context.Context) {
			if _, err := e.Fire(ctx, &hooks.Context{Event: hooks.SessionEnd, SessionID: id}); err != nil {
				t.Error(err)
			}
		}
	}
	e.BeforeClose(end("a"))
	forget := e.BeforeClose(end("gone"))
	e.BeforeClose(func(context.Context) { panic("out of cheese") })
	e.BeforeClose(end("b"))
	forget()
	forget()
	for range 2 {
		if err := e.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(told, " "); got != "a b" {
		t.Errorf("session_end was fired for %q, want a and b", got)
	}
	(*engine.Engine)(nil).BeforeClose(end("none"))()
}
