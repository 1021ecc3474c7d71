package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// blocked is a host object whose methods don't come back before they may.
type blocked struct{ release chan bool }

func (b *blocked) For() string { <-b.release; return "late" }

// Until comes back when the run is over, as methods should.
func (b *blocked) Until(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }

func (b *blocked) Not() string { return "at once" }

func withBlocked(b *blocked) engine.Option {
	return engine.WithHostObject("wait", b, "For", "Until", "Not")
}

// A method that doesn't come back costs the run its time, not the process: the event
// is decided by the policy, and the next one works, in another state.
func TestHostObjectThatBlocks(t *testing.T) {
	for _, call := range []string{"wait.For()", "pcall(wait.For)", "wait:Until()", "pcall(wait.Until)"} {
		bubble(t, call, func(t *testing.T) {
			b := &blocked{release: make(chan bool)}
			var log bytes.Buffer
			e := lua(t, `local runs = 0 on("pre_tool_call", {timeout="300ms"}, function(ev)
				runs = runs + 1
				if ev.tool_call.command == "block" then `+call+` end
				return {data={runs=runs, got=wait.Not()}}
			end)`, withBlocked(b), engine.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
			fire(t, e, bash("ls"))
			equal(t, "data", asJSON(t, fire(t, e, bash("ls")).Data), `{"got":"at once","runs":2}`)

			began := time.Now()
			r := fire(t, e, bash("block"))
			equal(t, "time", time.Since(began), 300*time.Millisecond)
			equal(t, "decision", r.Decision, hooks.Deny)
			run := r.Summary().Runs[0]
			if run.Error == nil || run.Error.Kind != hooks.KindLimit || run.Error.Limit != hooks.LimitTime {
				t.Errorf("run: %s", asJSON(t, run))
			}
			equal(t, "data", asJSON(t, fire(t, e, bash("ls")).Data), `{"got":"at once","runs":1}`)

			if strings.Contains(call, "For") {
				contains(t, r.Reason, "wait.For had not come back when the 300ms of the run were over")
				equal(t, "stragglers", strings.Join(e.Stragglers(), " "), "wait.For")
				contains(t, log.String(), "level=WARN", "a call has outlasted its run", "call=wait.For")
			}
			close(b.release)
			synctest.Wait()
			equal(t, "stragglers", len(e.Stragglers()), 0)
			equal(t, "data", asJSON(t, fire(t, e, bash("ls")).Data), `{"got":"at once","runs":2}`)
		})
	}
}

// A hook's own timeout raises nothing, and a blocked load ends, too.
func TestHostObjectThatBlocksForTheDefault(t *testing.T) {
	bubble(t, "a run", func(t *testing.T) {
		b := &blocked{release: make(chan bool)}
		e := lua(t, `on("pre_tool_call", {timeout="1h"}, function() wait.For() end)`, withBlocked(b))
		contains(t, fire(t, e, bash("ls")).Reason, "when the 1s of the run were over")
		close(b.release)
	})
	bubble(t, "loading", func(t *testing.T) {
		b := &blocked{release: make(chan bool)}
		e := lua(t, `wait.For() on("pre_tool_call", function() end)`, withBlocked(b))
		contains(t, problems(e), "wait.For had not come back when the 5s of the run were over")
		equal(t, "decision", fire(t, e, bash("ls")).Decision, hooks.Deny)
		close(b.release)
	})
}

// The methods and Go hooks that are out are counted together.
func TestStragglersHoldUpTheNext(t *testing.T) {
	bubble(t, "", func(t *testing.T) {
		b := &blocked{release: make(chan bool)}
		e := lua(t, `on("pre_tool_call", {match="bash"}, function(ev)
			if ev.tool_call.command == "block" then wait.For() end
			return {data={got=wait.Not()}}
		end)`, withBlocked(b))
		register(t, e, hooks.Stop, hooks.Options{Name: "stuck"}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
			<-b.release
			return nil, nil
		})
		for range 8 {
			fire(t, e, bash("block"))
			fire(t, e, &hooks.Context{Event: hooks.Stop})
		}
		equal(t, "stragglers", fmt.Sprint(e.Stragglers()), "["+strings.Repeat("hook stuck ", 8)+strings.TrimSuffix(strings.Repeat("wait.For ", 8), " ")+"]")

		began := time.Now()
		const full = "16 calls have not come back (hook stuck, wait.For); until one does nothing is called that may block"
		r := fire(t, e, bash("ls")) // would not block
		equal(t, "decision", r.Decision, hooks.Deny)
		contains(t, r.Reason, "wait.Not: "+full)
		r = fire(t, e, &hooks.Context{Event: hooks.Stop})
		equal(t, "kind", r.Summary().Runs[0].Error.Kind, hooks.KindHost)
		contains(t, r.Warnings[0], "hook stuck", full)
		equal(t, "time", time.Since(began), 2*20*time.Millisecond)

		b.release <- true
		synctest.Wait()
		equal(t, "data", asJSON(t, fire(t, e, bash("ls")).Data), `{"got":"at once"}`)
		close(b.release)
	})
}

func TestCloseWaitsForStragglers(t *testing.T) {
	bubble(t, "", func(t *testing.T) {
		b := &blocked{release: make(chan bool)}
		e := lua(t, `on("stop", function() wait.For() end)`, withBlocked(b))
		fire(t, e, &hooks.Context{Event: hooks.Stop})
		soon, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		err := e.Close(soon)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Close: %v", err)
		}
		contains(t, err.Error(), "luahook: Close: 1 call has not come back (wait.For): ")
		if _, err := e.Fire(context.Background(), bash("ls")); !errors.Is(err, engine.ErrClosed) {
			t.Errorf("Fire: %v", err)
		}
		closed := make(chan error)
		go func() { closed <- e.Close(context.Background()) }()
		synctest.Wait()
		close(b.release)
		if err := <-closed; err != nil {
			t.Errorf("Close: %v", err)
		}
	})
}

// What is still under way isn't left behind, and Close tells of it, too.
func TestCloseTellsWhatIsUnderWay(t *testing.T) {
	e := newEngine(t, patient)
	entered, release := make(chan bool), make(chan bool)
	register(t, e, hooks.Stop, hooks.Options{}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		entered <- true
		<-release
		return nil, nil
	})
	done := make(chan error)
	go func() { _, err := e.Fire(context.Background(), &hooks.Context{Event: hooks.Stop}); done <- err }()
	<-entered
	over, cancel := context.WithCancel(context.Background())
	cancel()
	err := e.Close(over)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Close: %v", err)
	}
	contains(t, err.Error(), "luahook: Close: events under way: 1: ")
	equal(t, "stragglers", len(e.Stragglers()), 0)
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
