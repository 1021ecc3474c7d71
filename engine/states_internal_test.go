package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/hooks"
)

// Who waits for a state does so for a time only.
func TestWaitForAStateEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := New(WithoutBuiltins(), WithMaxStates(1), WithScript("a.lua", `on("stop", function() end)`))
		if err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		s := e.current.scripts[0]
		state, _, _, err := e.pool.Acquire(ctx, s, nil, time.Now(), time.Second)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		r, err := e.Fire(ctx, &hooks.Context{Event: hooks.Stop}) // as a hook does that fires an event itself
		if err != nil || len(r.Warnings) != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		got := fmt.Sprint(r.Summary().Runs[0].Error.Kind, " ", r.Summary().Runs[0].Error.Limit, " ", time.Since(began), ": ", r.Summary().Runs[0].Error.Message)
		if want := "limit time 10s: all 1 Lua states were at work for 10s; WithMaxStates sets their number"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		e.pool.Release(state, true)
		if r, err := e.Fire(ctx, &hooks.Context{Event: hooks.Stop}); err != nil || len(r.Warnings) != 0 {
			t.Errorf("afterwards: %+v, %v", r, err)
		}
		if err := e.Close(ctx); err != nil {
			t.Fatal(err)
		}
	})
}

// waits is a host object that holds up the loading of a script once it is armed.
type waits struct{ entered, leave chan bool }

func (w *waits) Pass() {
	if w.entered != nil {
		w.entered <- true
		<-w.leave
	}
}

// A reload that Close overtakes leaves no states behind, and neither does a later one.
func TestReloadAgainstClose(t *testing.T) {
	w := &waits{}
	e, err := New(WithoutBuiltins(), WithLimits(Limits{Timeout: time.Hour}), WithHostObject("waits", w, "Pass"),
		WithScript("a.lua", `on("stop", function() end)`), WithScript("b.lua", `waits.Pass() on("stop", function() end)`))
	if err != nil {
		t.Fatal(err)
	}
	if n := e.pool.Resting(); n != 2 {
		t.Fatalf("%d states rest", n)
	}
	w.entered, w.leave = make(chan bool), make(chan bool)
	ctx := context.Background()
	done := make(chan error)
	go func() { done <- e.Reload(ctx) }()
	<-w.entered // the new a.lua is loaded, b.lua is being loaded
	if err := e.Close(ctx); err != nil {
		t.Fatal(err)
	}
	generation := e.Generation()
	w.leave <- true
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("the reload that was under way: %v", err)
	}
	w.entered = nil
	if err := e.Reload(ctx); !errors.Is(err, ErrClosed) {
		t.Errorf("a later reload: %v", err)
	}
	if n := e.pool.Resting(); n != 0 || e.Generation() != generation {
		t.Errorf("%d states rest in generation %d, want none in %d", n, e.Generation(), generation)
	}
}

// Hooks that aren't trusted never run on the machine of those that are, nor any beside another.
func TestWhoSharesAMachine(t *testing.T) {
	f := &firing{}
	first, second := f.machines.of(&hook{mode: hooks.ModeSync}), f.machines.of(&hook{mode: hooks.ModeSync})
	stranger := f.machines.of(&hook{mode: hooks.ModeSync, untrusted: "it isn't trusted"})
	if first == nil || first != second || stranger == nil || stranger == first {
		t.Errorf("%p %p, and of a stranger %p", first, second, stranger)
	}
	for _, mode := range []hooks.Mode{hooks.ModeParallel, hooks.ModeAsync} {
		if f.machines.of(&hook{mode: mode}) != nil {
			t.Errorf("a %s hook runs on the event's machine", mode)
		}
	}
}

// A machine on which a hook has failed is used no more: nobody knows what is left in it.
func TestAMachineIsDroppedWithAFailure(t *testing.T) {
	e, err := New(WithoutBuiltins(), WithScript("a.lua", `local n = 0 on("stop", function() n = n + 1 if n == 2 then error("no") end end)`))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(context.Background())
	f, p := &firing{engine: e}, e.currentPlan()
	for _, fails := range []bool{false, true} {
		c := &hooks.Context{Event: hooks.Stop}
		f.plan, f.given, f.event, f.started, f.looked, f.outcome = p, c, c, time.Now(), time.Now(), nil
		if _, err := f.decide(context.Background(), c, p.at(hooks.Stop)); err != nil {
			t.Fatal(err)
		}
		if dropped := f.machines.trusted == nil; dropped != fails {
			t.Errorf("the hook fails: %t, the machine is dropped: %t", fails, dropped)
		}
	}
}
