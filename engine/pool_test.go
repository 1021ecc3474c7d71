package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// many are options for scripts a, b, c ..., each of which counts the states that it
// is loaded into and the events that its states have seen.
func many(n int, c *counter) []engine.Option {
	options := []engine.Option{engine.WithHostObject("count", c, "Add")}
	for i := range n {
		name := string(rune('a' + i))
		options = append(options, engine.WithScript(name, strings.ReplaceAll(`
count.Add("NAME")
local seen = 0
on("pre_tool_call", {name="NAME", match={command="NAME"}}, function() seen = seen + 1; return {data={seen=seen}} end)`, "NAME", name)))
	}
	return options
}

func TestStatesAreKept(t *testing.T) {
	c := &counter{}
	e := newEngine(t, many(2, c)...)
	for i := range 3 {
		equal(t, "data", asJSON(t, fire(t, e, bash("a")).Data), fmt.Sprintf(`{"seen":%d}`, i+1))
	}
	equal(t, "states of a", c.of("a"), 1)
	equal(t, "states of b", c.of("b"), 1)
}

// With room for two states, the one that has rested longest makes room.
func TestLeastRecentlyUsedStateGoes(t *testing.T) {
	c := &counter{}
	e := newEngine(t, append(many(3, c), engine.WithMaxStates(2))...)
	seen := func(script string) string { return asJSON(t, fire(t, e, bash(script)).Data["seen"]) }
	// Loading has left b and c; a was evicted.
	equal(t, "b was kept", seen("b")+asJSON(t, c.of("b")), "11")
	equal(t, "a is made anew", seen("a")+asJSON(t, c.of("a")), "12") // c goes
	equal(t, "b was used later than c", seen("b")+asJSON(t, c.of("b")), "21")
	equal(t, "c is made anew", seen("c")+asJSON(t, c.of("c")), "12") // a goes
	equal(t, "b is still there", seen("b")+asJSON(t, c.of("b")), "31")
	equal(t, "a is made anew again", seen("a")+asJSON(t, c.of("a")), "13")
}

// No more than max states are at work, over all scripts.
func TestBoundHoldsOverAllScripts(t *testing.T) {
	at := &gate{entered: make(chan string), leave: make(chan bool)}
	options := []engine.Option{engine.WithHostObject("gate", at, "Pass"), engine.WithMaxStates(3), patient}
	for _, name := range []string{"a", "b", "c", "d"} {
		options = append(options, engine.WithScript(name, fmt.Sprintf(`on("pre_tool_call", {match={command=%q}}, function() gate.Pass(%q) end)`, name, name)))
	}
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, options...)
		at.entered, at.leave = make(chan string), make(chan bool)
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() { equal(t, "decision", fire(t, e, bash(string(rune('a'+i%4)))).Decision, hooks.NoOpinion) })
		}
		synctest.Wait() // everybody is inside or waits for a state
		equal(t, "at work", at.inside.Load(), 3)
		for range 16 {
			<-at.entered
			at.leave <- true
		}
		all.Wait()
		equal(t, "most at work", at.most.Load(), 3)
	})
}

// Who waits for a state gives up with its context.
func TestWaitingForAState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := &gate{entered: make(chan string), leave: make(chan bool)}
		e := lua(t, `on("pre_tool_call", {name="a"}, function() gate.Pass("a") end)`, engine.WithHostObject("gate", at, "Pass"), engine.WithMaxStates(1), patient)
		var working sync.WaitGroup
		working.Go(func() { equal(t, "the one at work", fire(t, e, bash("ls")).Decision, hooks.NoOpinion) })
		<-at.entered
		ctx, cancel := context.WithCancel(context.Background())
		var waiting sync.WaitGroup
		waiting.Go(func() {
			r, err := e.Fire(ctx, bash("ls"))
			if !errors.Is(err, context.Canceled) || r.Decision != hooks.Deny {
				t.Errorf("%s, %v", asJSON(t, r), err)
			}
			contains(t, r.Reason, "hook a failed", "the caller gave up while all Lua states were at work")
			equal(t, "limit", r.Summary().Runs[0].Error.Limit, hooks.LimitTime)
		})
		synctest.Wait()
		cancel()
		waiting.Wait()
		at.leave <- true
		working.Wait()
	})
}

// A state that a limit, an error or a bad answer left behind is not used again.
func TestBrokenStatesAreDropped(t *testing.T) {
	for _, body := range []string{`error("x")`, `while true do end`, `return 5`} {
		c := &counter{}
		e := lua(t, `count.Add("loaded") on("stop", function(ev) if ev.loop_count == 1 then `+body+` end end)`,
			engine.WithHostObject("count", c, "Add"), engine.WithLimits(engine.Limits{Instructions: 1000}))
		for i := range 3 {
			fire(t, e, &hooks.Context{Event: hooks.Stop, LoopCount: i})
		}
		equal(t, "states after "+body, c.of("loaded"), 2)
	}
}

// States of scripts that are no longer there don't take the place of others.
func TestRetiredStatesAreFreed(t *testing.T) {
	c := &counter{}
	e := newEngine(t, append(many(2, c), engine.WithMaxStates(2))...)
	if err := e.Reload(context.Background()); err != nil {
		t.Fatal(err)
	}
	equal(t, "loaded", c.of("a")+c.of("b"), 4)
	for range 3 {
		fire(t, e, bash("a"))
		fire(t, e, bash("b"))
	}
	equal(t, "both states of the new generation were kept", c.of("a")+c.of("b"), 4)
}

// A script that registers something else when it is loaded again is an error.
func TestScriptThatChangesItsMind(t *testing.T) {
	c := &counter{}
	e := lua(t, `
on("pre_tool_call", {name="a" .. tostring(count.Add("n"))}, function() error("used up") end)`, engine.WithHostObject("count", c, "Add"), engine.WithMaxStates(1))
	fire(t, e, bash("ls")) // breaks the first state
	fire(t, e, bash("ls"))
	r := fire(t, e, bash("ls"))
	equal(t, "decision", r.Decision, hooks.Deny)
	equal(t, "kind", r.Summary().Runs[0].Error.Kind, hooks.KindLoad)
	contains(t, r.Reason, "a.lua", "it registered other hooks than when it was first loaded")
}
