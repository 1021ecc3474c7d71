package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/hooks"
)

// A hook that was skipped has not run: the word of a person later lets it.
func TestOnceAndSkipped(t *testing.T) {
	for _, mode := range []string{"sync", "parallel", "async"} {
		t.Run(mode, func(t *testing.T) {
			root, store := realTree(t, "-- .hooks/hooks.yaml --\nhooks: {stop: [{name: cmd, command: exit, once: true, mode: "+mode+"}]}\n")
			e := newEngine(t, engine.WithTrust(store), engine.WithProject(engine.Project{Root: root}))
			stop := &hooks.Context{Event: hooks.Stop, SessionID: "s"}
			equal(t, "before", modes(fire(t, e, stop)), "cmd/"+mode+"=skipped")
			pin(t, store, root)
			if err := e.Reload(context.Background()); err != nil {
				t.Fatal(err)
			}
			ran := "cmd/" + mode + "=completed"
			if mode == "async" {
				ran = "cmd/async=queued"
			}
			equal(t, "trusted", modes(fire(t, e, stop)), ran)
			equal(t, "again", modes(fire(t, e, stop)), "")
		})
	}
}

// One whose answer didn't count beside a deny runs again.
func TestOnceBesideADeny(t *testing.T) {
	e := lua(t, `
on("pre_tool_call", {name="guard", mode="parallel"}, function(ev) if ev.tool_call.command == "no" then return deny("no") end end)
on("pre_tool_call", {name="hello", mode="parallel", once=true}, function() return context("welcome") end)`)
	equal(t, "denied", strings.ReplaceAll(modes(fire(t, e, bash("no"))), "uncounted", "skipped"), "guard/parallel=blocked hello/parallel=skipped")
	equal(t, "next", modes(fire(t, e, bash("ls"))), "guard/parallel=completed hello/parallel=completed")
	equal(t, "again", modes(fire(t, e, bash("ls"))), "guard/parallel=completed")
}

// An async one that failed runs again, and so does one that didn't fit.
func TestOnceAndAsync(t *testing.T) {
	e := newEngine(t, patient)
	ran := make(chan struct{})
	register(t, e, hooks.Stop, hooks.Options{Name: "fails", Mode: hooks.ModeAsync, Once: true}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		defer close(ran)
		return nil, errors.New("boom")
	})
	equal(t, "first", runs(fire(t, e, &hooks.Context{Event: hooks.Stop})), "fails")
	done(t, "the run", ran)
	ran = make(chan struct{})
	for deadline := time.Now().Add(time.Minute); runs(fire(t, e, &hooks.Context{Event: hooks.Stop})) == ""; { // until the failure is noted
		if time.Now().After(deadline) {
			t.Fatal("it doesn't run again")
		}
	}
	done(t, "the second run", ran)
}

// A script that is listed twice runs twice, and each of the two once per session.
func TestListedTwice(t *testing.T) {
	e, _ := project(t, `
-- .hooks/hooks.yaml --
hooks: {pre_tool_call: [{script: x.lua, once: true}, {script: x.lua, once: true}]}
-- x.lua --
on("pre_tool_call", {name="x"}, function() return context("hello") end)
`)
	r := fire(t, e, bash("ls"))
	equal(t, "runs", runs(r), "x x")
	equal(t, "context", r.NewContext, "hello\nhello")
	equal(t, "again", runs(fire(t, e, bash("ls"))), "")
}

// The state is asked by those who need it, and by no other event.
func TestStateIsLeftAlone(t *testing.T) {
	e := lua(t, `
on("pre_prompt", {name="a"}, function() end)
on("pre_tool_call", {name="a"}, function() end)`, engine.WithStore(brokenStore{}))
	for _, c := range []*hooks.Context{bash("ls"), {Event: hooks.PrePrompt, Prompt: "x"}, {Event: hooks.Stop}} {
		equal(t, "warnings", strings.Join(fire(t, e, c).Warnings, "\n"), "")
	}
}

// Sessions whose ids are long are told apart.
func TestLoopGuardOfLongSessions(t *testing.T) {
	e := lua(t, `on("stop", function(ev) return deny(ev.metadata.n) end)`, engine.WithMaxFollowups(1))
	long := strings.Repeat("s", 500)
	for _, session := range []string{long + "1", long + "2"} {
		for n, want := range []bool{true, false} {
			c := &hooks.Context{Event: hooks.Stop, SessionID: session, Metadata: map[string]any{"n": string(rune('a' + n))}}
			equal(t, "blocked", fire(t, e, c).Block, want)
		}
	}
}

// An async hook has its own time, whatever the event has used up.
func TestTimeOfAsyncHooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := engine.New(engine.WithoutBuiltins(), engine.WithEventTimeout(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		register(t, e, hooks.Stop, hooks.Options{Name: "slow", Timeout: time.Hour}, sleeps(2*time.Hour))
		ran := false
		register(t, e, hooks.Stop, hooks.Options{Name: "observer", Mode: hooks.ModeAsync, Timeout: time.Hour}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
			ran = ctx.Err() == nil
			return nil, nil
		})
		equal(t, "runs", modes(fire(t, e, &hooks.Context{Event: hooks.Stop})), "slow/sync=failed observer/async=queued")
		if err := e.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		equal(t, "it ran in time", ran, true)
		equal(t, "failures", asJSON(t, e.Counters().Failures), `{"limit":1}`)
	})
}

// The events that wait for async hooks have a bounded size; one alone may be larger.
func TestAsyncQueueIsBoundedInBytes(t *testing.T) {
	e := newEngine(t)
	release := make(chan struct{})
	register(t, e, hooks.PreToolCall, hooks.Options{Name: "slow", Mode: hooks.ModeAsync, Timeout: time.Hour}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		<-release
		return nil, nil
	})
	large := bash(strings.Repeat("x", 20<<20))
	dropped := 0
	for range 12 { // 4 are at work soon, and 3 fit the queue
		r := fire(t, e, large)
		if r.Summary().Runs[0].Status == hooks.StatusSkipped {
			dropped++
			contains(t, strings.Join(r.Warnings, ""), "hook slow", "dropped: the events that wait already hold 64 MiB")
		}
	}
	if dropped < 12-4-3 {
		t.Errorf("dropped %d of 12", dropped)
	}
	equal(t, "counted", e.Counters().AsyncDropped, uint64(dropped))
	close(release)
}

// An event that an async hook fires comes from inside it.
func TestReentryOfAsyncHooks(t *testing.T) {
	e := newEngine(t, patient)
	inner := make(chan string, 1)
	register(t, e, hooks.Notification, hooks.Options{Name: "parent"}, func(ctx context.Context, c *hooks.Context) (*hooks.Result, error) {
		_, err := e.Fire(ctx, &hooks.Context{Event: hooks.Stop})
		return nil, err
	})
	register(t, e, hooks.Stop, hooks.Options{Name: "observer", Mode: hooks.ModeAsync}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		r, err := e.Fire(ctx, &hooks.Context{Event: hooks.Notification, Fields: map[string]any{"message": "x"}})
		inner <- modes(r)
		return nil, err
	})
	fire(t, e, &hooks.Context{Event: hooks.Notification, Fields: map[string]any{"message": "x"}})
	equal(t, "inner", <-inner, "parent/sync=skipped")
}

// A hook of another engine is another hook.
func TestReentryOfTwoEngines(t *testing.T) {
	outer, inner := newEngine(t, patient), lua(t, `on("pre_tool_call", {name="same"}, function() return context("ran") end)`)
	again := ""
	objects := &firing{engine: inner}
	other := lua(t, `on("pre_tool_call", {name="same"}, function() agent.Fire("x") end)`, patient, engine.WithHostObject("agent", objects, "Fire"))
	register(t, outer, hooks.PreToolCall, hooks.Options{Name: "nests"}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		_, err := other.Fire(ctx, bash("ls"))
		again = objects.inner
		return nil, err
	})
	fire(t, outer, bash("ls"))
	equal(t, "inner", again, "same/sync=completed")
}

// The hooks above this process count once.
func TestDepthInTheChildOfAHook(t *testing.T) {
	t.Setenv("LUAHOOK_DEPTH", "3")
	e := newEngine(t, patient)
	ran := 0
	for n := range 12 {
		register(t, e, hooks.Event("level.n"+strings.Repeat("x", n+1)), hooks.Options{OnFailure: hooks.Warn}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
			ran++
			_, err := e.Fire(ctx, &hooks.Context{Event: hooks.Event("level.n" + strings.Repeat("x", n+2))})
			return nil, err
		})
	}
	fire(t, e, &hooks.Context{Event: "level.nx"})
	equal(t, "hooks that ran, at the depths of 3 to 8", ran, 6)
}

// contendedStore is one in which somebody else is always faster once.
type contendedStore struct {
	store.Store
	value []byte
}

func (s *contendedStore) Get(context.Context, store.Space, string) ([]byte, error) {
	return s.value, nil
}

func (s *contendedStore) Update(_ context.Context, _ store.Space, _ string, _ time.Duration, change func([]byte) ([]byte, error)) (err error) {
	taken := s.value
	for range 9 { // what others might have put there
		if taken, err = change(taken); err != nil {
			return err
		}
	}
	s.value, err = change(s.value)
	return err
}

// What was decided about a state that somebody else was faster to change is forgotten.
func TestLoopGuardIsAskedAgain(t *testing.T) {
	e := lua(t, `on("stop", function(ev) return deny(ev.metadata.n) end)`, engine.WithStore(&contendedStore{}))
	equal(t, "blocks", stops(t, e, "x", 6), 3)
}
