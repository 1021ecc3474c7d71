package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Four async hooks are at work at once: each waits for the others here.
func TestAsyncHooksRunAtOnce(t *testing.T) {
	e := newEngine(t, patient)
	var came atomic.Int64
	all, left := make(chan struct{}), make(chan struct{}, 4)
	register(t, e, hooks.Stop, hooks.Options{Mode: hooks.ModeAsync, Timeout: time.Hour}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		if came.Add(1) == 4 {
			close(all)
		}
		select {
		case <-all:
		case <-ctx.Done():
		}
		left <- struct{}{}
		return nil, nil
	})
	for range 4 {
		fire(t, e, &hooks.Context{Event: hooks.Stop})
	}
	for range 4 {
		done(t, "the meeting", left)
	}
}

// What has run makes room, an event that is too large for the queue waits alone, and
// each hook has the event as it was.
func TestRoomInTheAsyncQueue(t *testing.T) {
	e := newEngine(t, patient)
	ran := make(chan struct{}, 1)
	register(t, e, hooks.PreToolCall, hooks.Options{Mode: hooks.ModeAsync, Timeout: time.Hour}, func(_ context.Context, c *hooks.Context) (*hooks.Result, error) {
		if s, _ := c.ToolCall.Input["command"].(string); len(s) < 1<<20 {
			t.Errorf("the command is %q", s)
		}
		ran <- struct{}{}
		return nil, nil
	})
	for _, size := range []int{70 << 20, 20 << 20, 20 << 20, 20 << 20, 20 << 20} {
		c := bash(strings.Repeat("x", size))
		equal(t, "status", fire(t, e, c).Summary().Runs[0].Status, hooks.StatusQueued)
		c.ToolCall.Input["command"] = "changed by its owner"
		done(t, "the run", ran)
	}
}

// Async hooks that set off each other end, too.
func TestDepthOfAsyncHooks(t *testing.T) {
	e, err := engine.New(engine.WithoutBuiltins(), patient)
	if err != nil {
		t.Fatal(err)
	}
	var ran atomic.Int64
	over := make(chan struct{})
	for n := range 12 {
		register(t, e, hooks.Event(fmt.Sprintf("level.n%d", n)), hooks.Options{Mode: hooks.ModeAsync}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
			ran.Add(1)
			_, err := e.Fire(ctx, &hooks.Context{Event: hooks.Event(fmt.Sprintf("level.n%d", n+1))})
			if n == 8 || n == 11 {
				close(over)
			}
			return nil, err
		})
	}
	fire(t, e, &hooks.Context{Event: "level.n0"})
	done(t, "the end", over)
	if err := e.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	equal(t, "runs", ran.Load(), 9)
	equal(t, "failures", asJSON(t, e.Counters().Failures), `{"host":1}`)
}

// Observers hear of an async hook's run when it takes place.
func TestAsyncHooksAreObserved(t *testing.T) {
	watch := &watcher{}
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithObserver(watch), engine.WithScript("a.lua", `on("stop", {name="observer", mode="async"}, function() end)`))
	if err != nil {
		t.Fatal(err)
	}
	r := fire(t, e, &hooks.Context{Event: hooks.Stop})
	if err := e.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	equal(t, "the summary's run", r.Summary().Runs[0].ID.String()+" "+string(r.Summary().Runs[0].Status), "1.1 queued")
	equal(t, "told", strings.Join(watch.lines, "\n"), "started 1.1 observer\ncompleted 1.1 observer completed")
}

// Close ends the async hooks that are at work when its context is done, and counts them.
func TestCloseEndsAsyncHooksAtWork(t *testing.T) {
	e, err := engine.New(engine.WithoutBuiltins(), patient)
	if err != nil {
		t.Fatal(err)
	}
	atWork, closed := make(chan struct{}), make(chan struct{})
	register(t, e, hooks.Stop, hooks.Options{Mode: hooks.ModeAsync, Timeout: time.Hour}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		close(atWork)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	fire(t, e, &hooks.Context{Event: hooks.Stop})
	done(t, "the run", atWork)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	go func() { defer close(closed); err = e.Close(ctx) }()
	done(t, "the end", closed)
	if err == nil || !strings.Contains(err.Error(), "async hooks that were dropped or ended: 1: ") {
		t.Errorf("Close: %v", err)
	}
	if err := e.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// Whatever an async hook answers, it decides nothing and is a failure.
func TestAnswersOfAsyncHooks(t *testing.T) {
	for name, r := range map[string]*hooks.Result{
		"allow": {Decision: hooks.Allow}, "deny": {Block: true, Reason: "no"}, "input": {Input: map[string]any{"command": "x"}}, "output": {Output: "x"},
		"context": {NewContext: "x"}, "contexts": {Contexts: []hooks.ContextEntry{{Text: "x"}}}, "message": {SystemMessage: "x"}, "data": {Data: map[string]any{"k": 1}},
		"nothing": {},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := engine.New(engine.WithoutBuiltins())
			if err != nil {
				t.Fatal(err)
			}
			register(t, e, hooks.PreToolCall, hooks.Options{Mode: hooks.ModeAsync}, answer(r, nil))
			equal(t, "decision", fire(t, e, bash("ls")).Decision, hooks.NoOpinion)
			if err := e.Close(context.Background()); err != nil {
				t.Fatal(err)
			}
			want := `{"result":1}`
			if name == "nothing" {
				want = "{}"
			}
			equal(t, "failures", asJSON(t, e.Counters().Failures), want)
		})
	}
}

// Of many parallel hooks 16 are at work at once.
func TestParallelHooksAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := engine.New(engine.WithoutBuiltins(), patient)
		if err != nil {
			t.Fatal(err)
		}
		var came atomic.Int64
		release, over := make(chan struct{}), make(chan struct{})
		for range 20 {
			register(t, e, hooks.Stop, hooks.Options{Mode: hooks.ModeParallel}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
				came.Add(1)
				<-release
				return nil, nil
			})
		}
		go func() { defer close(over); fire(t, e, &hooks.Context{Event: hooks.Stop}) }()
		synctest.Wait()
		equal(t, "at work", came.Load(), 16)
		close(release)
		<-over
		equal(t, "in the end", came.Load(), 20)
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// The deny of a parallel hook ends those after it, whose outcome doesn't count.
func TestDenyEndsTheParallelHooksAfterIt(t *testing.T) {
	e := newEngine(t, patient)
	atWork := make(chan struct{})
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "denies", Mode: hooks.ModeParallel}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		<-atWork
		return &hooks.Result{Block: true, Reason: "no"}, nil
	})
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "waits", Mode: hooks.ModeParallel, Timeout: time.Hour}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		close(atWork)
		<-ctx.Done()
		return nil, errors.New("boom")
	})
	over := make(chan struct{})
	var r *hooks.Result
	go func() { defer close(over); r = fire(t, e, bash("ls")) }()
	done(t, "the end", over)
	run := r.Summary().Runs[1]
	if run.Status != hooks.StatusUncounted || run.Error != nil || asJSON(t, run.Entries) != `[{"kind":"warning","text":"ended: a parallel hook before it has denied"}]` {
		t.Errorf("run: %s", asJSON(t, run))
	}
	equal(t, "reason", r.Reason, "no")
	equal(t, "failures", len(e.Counters().Failures), 0)
}
