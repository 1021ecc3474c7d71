package engine

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
)

// A panic of our own code is a failed run, and its state is not used again. The
// test makes one with a registration that isn't there, which no caller can.
func TestPanicOfOurOwn(t *testing.T) {
	e, err := New(WithoutBuiltins(), WithMaxStates(1), WithScript("a.lua", `on("stop", function() end)`))
	if err != nil {
		t.Fatal(err)
	}
	p := e.plan.Load()
	entry := p.events[hooks.Stop].hooks[0]
	entry.index = 99
	for range 3 { // a slot that was not given back would block the second
		r, err := e.Fire(context.Background(), &hooks.Context{Event: hooks.Stop})
		if err != nil || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "it panicked: ") || r.Summary().Runs[0].Error.Kind != hooks.KindHost {
			t.Fatalf("%+v, %v", r, err)
		}
		if n := e.pool.Resting(); n != 0 {
			t.Errorf("%d states were kept", n)
		}
	}
	if err := e.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// States go with their script, whether they rest or are at work then, and all of
// them with the engine.
func TestStatesAreFreed(t *testing.T) {
	e, err := New(WithoutBuiltins(), WithScript("a.lua", `on("stop", function() end)`))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	old := e.current.scripts[0]
	state, _, _, err := e.pool.Acquire(ctx, old, nil, time.Now(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reload(ctx); err != nil {
		t.Fatal(err)
	}
	e.pool.Release(state, true)
	if n := e.pool.Resting(); n != 1 || e.current.scripts[0] == old {
		t.Errorf("after a reload %d states rest", n)
	}
	if err := e.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if n := e.pool.Resting(); n != 0 {
		t.Errorf("after Close %d states rest", n)
	}
}
