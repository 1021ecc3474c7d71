package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// sleeps is a Go hook that takes so long, or until it is told to end.
func sleeps(d time.Duration) hooks.Func {
	return func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		select {
		case <-time.After(d):
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// The hooks of one event have so much time together.
func TestEventTimeout(t *testing.T) {
	tests := []struct {
		name    string
		options []engine.Option
		hooks   []hooks.Options
		took    time.Duration
		want    string // status of each, and what the last failure says
	}{
		{"they share a minute", nil, []hooks.Options{{Timeout: 40 * time.Second}, {Timeout: 40 * time.Second}, {Timeout: 40 * time.Second}},
			time.Minute, "failed failed failed: the hooks of this event have used up their 1m0s (limits.event)"},
		{"the second is cut short", []engine.Option{engine.WithEventTimeout(50 * time.Second)}, []hooks.Options{{Timeout: 30 * time.Second}, {Timeout: 30 * time.Second}},
			50 * time.Second, "failed failed: it was still running when the hooks of this event had used up their 50s (limits.event)"},
		{"its own time is over first", []engine.Option{engine.WithEventTimeout(50 * time.Second)}, []hooks.Options{{Timeout: 30 * time.Second}},
			30 * time.Second, "failed: it ran longer than its 30s"},
		{"a hook that waits for a person", nil, []hooks.Options{{Timeout: 5 * time.Minute}}, 5 * time.Minute, "failed: it ran longer than its 5m0s"},
		{"an embedder's bound holds for it, too", []engine.Option{engine.WithEventTimeout(time.Minute)}, []hooks.Options{{Timeout: 5 * time.Minute}},
			time.Minute, "failed: it was still running when the hooks of this event had used up their 1m0s (limits.event)"},
		{"parallel hooks run side by side", nil, []hooks.Options{{Timeout: 40 * time.Second, Mode: hooks.ModeParallel}, {Timeout: 40 * time.Second, Mode: hooks.ModeParallel}},
			40 * time.Second, "failed failed: it ran longer than its 40s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, err := engine.New(append(tt.options, engine.WithoutBuiltins())...)
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range tt.hooks {
					o.OnFailure = hooks.Warn
					register(t, e, hooks.PreToolCall, o, sleeps(time.Hour))
				}
				began := time.Now()
				r := fire(t, e, bash("ls"))
				equal(t, "it took", time.Since(began), tt.took)
				var got []string
				for _, run := range r.Summary().Runs {
					got = append(got, string(run.Status))
					equal(t, "the kind", fmt.Sprint(run.Error.Kind, " ", run.Error.Limit), "limit time")
				}
				equal(t, "runs", strings.Join(got, " ")+": "+r.Summary().Runs[len(got)-1].Error.Message, tt.want)
				if err := e.Close(context.Background()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// slowObserver takes its time after each run.
type slowObserver struct{}

func (slowObserver) RunStarted(context.Context, hooks.Run) {}

func (slowObserver) RunCompleted(context.Context, hooks.Run) { time.Sleep(2 * time.Second) }

// What the summary tells of times is true, and no hook has less time because of what came before
// its own turn.
func TestTimesOfRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := engine.New(engine.WithoutBuiltins(), engine.WithObserver(slowObserver{}), engine.WithScript("a.lua", `
on("pre_tool_call", {name="answers", priority=2}, function() return context("note") end)
on("pre_tool_call", {name="last"}, function() end)`))
		if err != nil {
			t.Fatal(err)
		}
		register(t, e, hooks.PreToolCall, hooks.Options{Name: "slow", Priority: 3, Timeout: time.Hour}, sleeps(10*time.Second))
		for _, name := range []string{"one", "other"} {
			register(t, e, hooks.PreToolCall, hooks.Options{Name: name, Priority: 1, Timeout: time.Hour, Mode: hooks.ModeParallel}, sleeps(5*time.Second))
		}
		began := time.Now()
		r := fire(t, e, bash("ls"))
		equal(t, "it took", time.Since(began), (10+2+2+5+2*2+2)*time.Second)
		var got []string
		for _, run := range r.Summary().Runs {
			got = append(got, fmt.Sprint(run.Hook, " ", run.Status, " ", time.Duration(run.DurationUS)*time.Microsecond))
		}
		equal(t, "runs", strings.Join(got, ", "), "slow completed 10s, answers completed 0s, one completed 5s, other completed 5s, last completed 0s")
		equal(t, "started", r.Summary().StartedAt, began)
		equal(t, "until the last hook was over", r.Summary().DurationMS, 23_000)
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// A guard that has no time left blocks.
func TestEventTimeoutBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := engine.New(engine.WithoutBuiltins(), engine.WithEventTimeout(time.Second), engine.WithScript("a.lua", `on("pre_tool_call", {name="guard"}, function() end)`))
		if err != nil {
			t.Fatal(err)
		}
		register(t, e, hooks.PreToolCall, hooks.Options{Name: "slow", Priority: 1, OnFailure: hooks.Ignore, Timeout: time.Hour}, sleeps(time.Hour))
		r := fire(t, e, bash("ls"))
		equal(t, "decision", r.Decision, hooks.Deny)
		contains(t, r.Reason, "hook guard failed at a.lua:1: the hooks of this event have used up their 1s (limits.event)")
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// A caller that gives up ends what runs; what is left fails by its policy.
func TestCallerGivesUp(t *testing.T) {
	e := newEngine(t, patient)
	ctx, cancel := context.WithCancel(context.Background())
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "ended", Mode: hooks.ModeParallel, OnFailure: hooks.Warn, Timeout: time.Hour}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	})
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "beside", Mode: hooks.ModeParallel, OnFailure: hooks.Warn, Timeout: time.Hour}, sleeps(time.Hour))
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "guard"}, nothing)
	r, err := e.Fire(ctx, bash("ls"))
	if err != context.Canceled {
		t.Errorf("the error is %v", err)
	}
	equal(t, "runs", modes(r), "ended/parallel=failed beside/parallel=failed guard/sync=failed")
	equal(t, "decision", r.Decision, hooks.Deny)
	contains(t, r.Reason, "hook guard failed", "the caller gave up before it ran")
}
