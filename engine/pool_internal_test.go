package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// resting counts the states at rest.
func (p *pool) resting() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, state := range p.states {
		if state.rested.Load() != atWork {
			n++
		}
	}
	return n
}

// used tells what the pool holds.
func (p *pool) used() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("%d states, %d places, %d in line, %d waiting", len(p.states), p.places, p.line.Len(), p.waiting.Load())
}

// poolEngine is an engine with n scripts that do nothing.
func poolEngine(t testing.TB, n, states int) *Engine {
	t.Helper()
	options := []Option{WithoutBuiltins(), WithMaxStates(states), WithLimits(Limits{Timeout: time.Hour})}
	for i := range n {
		options = append(options, WithScript(fmt.Sprintf("s%d.lua", i), `on("stop", function() end)`))
	}
	e, err := New(options...)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func closeEngine(t testing.TB, e *Engine) {
	t.Helper()
	if err := e.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if got, want := e.pool.used(), "0 states, 0 places, 0 in line, 0 waiting"; got != want {
		t.Errorf("after Close: %s, want %s", got, want)
	}
}

// Who waits for a state is served in order: with a state of its script, or with the place
// of another's.
func TestWaitersAreServedInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := poolEngine(t, 2, 1)
		ctx, a, b := context.Background(), e.loaded.scripts[0], e.loaded.scripts[1]
		first, _, _, err := e.pool.acquire(ctx, a, time.Now(), time.Second)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		var mu sync.Mutex
		var all sync.WaitGroup
		for i, s := range []*script{a, b, b, a} {
			all.Go(func() {
				state, _, fresh, err := e.pool.acquire(ctx, s, time.Now(), time.Minute)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				got = append(got, fmt.Sprint(i, " ", fresh > 0))
				mu.Unlock()
				e.pool.release(state, i != 1) // b's goes, so the next one needs a new one, too
			})
			synctest.Wait()
		}
		if got, want := e.pool.used(), "1 states, 1 places, 4 in line, 4 waiting"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		e.pool.release(first, true)
		all.Wait()
		if want := []string{"0 false", "1 true", "2 true", "3 true"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		closeEngine(t, e)
	})
}

// Who gives up leaves the line, and what was meant for it goes to the next.
func TestWaiterGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := poolEngine(t, 1, 1)
		s := e.loaded.scripts[0]
		state, _, _, err := e.pool.acquire(context.Background(), s, time.Now(), time.Second)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		var all sync.WaitGroup
		all.Go(func() {
			if _, _, _, err := e.pool.acquire(ctx, s, time.Now(), time.Minute); err == nil {
				t.Error("it was given one")
			}
		})
		synctest.Wait()
		all.Go(func() {
			next, _, fresh, err := e.pool.acquire(context.Background(), s, time.Now(), time.Minute)
			if err != nil || fresh > 0 {
				t.Errorf("the next: fresh %v, %v", fresh, err)
				return
			}
			e.pool.release(next, true)
		})
		synctest.Wait()
		cancel()
		synctest.Wait()
		e.pool.release(state, true)
		all.Wait()
		closeEngine(t, e)
	})
}

// What is given to somebody who gives up at the same moment is not lost.
func TestWaiterGivesUpTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := poolEngine(t, 1, 1)
		s := e.loaded.scripts[0]
		state, _, _, err := e.pool.acquire(context.Background(), s, time.Now(), time.Second)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		var all sync.WaitGroup
		all.Go(func() {
			given, _, _, err := e.pool.acquire(ctx, s, time.Now(), time.Minute)
			if err != nil {
				t.Error(err)
				return
			}
			e.pool.release(given, true)
		})
		synctest.Wait()
		e.pool.mu.Lock() // so that it can't leave the line
		cancel()
		e.pool.first().given <- state
		e.pool.mu.Unlock()
		all.Wait()
		closeEngine(t, e)
	})
}

// Of two who have found the same state at rest one gets it.
func TestStateIsTakenOnce(t *testing.T) {
	e := poolEngine(t, 1, 1)
	state := e.loaded.scripts[0].listed()[0]
	since := state.rested.Load()
	if !state.take(since) || state.take(since) {
		t.Error("want it to be taken by the first, not by the second")
	}
	e.pool.release(state, true)
	closeEngine(t, e)
}

// Pools grow by what runs at the same time, whatever the number of scripts.
func TestPoolGrowsOnDemand(t *testing.T) {
	e := poolEngine(t, 3, 100)
	ctx, s := context.Background(), e.loaded.scripts[1]
	for range 3 {
		var working []*pooled
		for range 4 {
			state, _, _, err := e.pool.acquire(ctx, s, time.Now(), time.Second)
			if err != nil {
				t.Fatal(err)
			}
			working = append(working, state)
		}
		for _, state := range working {
			e.pool.release(state, true)
		}
	}
	if got, want := e.pool.used(), "6 states, 6 places, 0 in line, 0 waiting"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	closeEngine(t, e)
}

// States that nobody has used for a while go; the timer that sees to it is there only
// while states are.
func TestIdleStatesGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := poolEngine(t, 3, 100)
		ctx, used, kept := context.Background(), e.loaded.scripts[0], e.loaded.scripts[1]
		working, _, _, err := e.pool.acquire(ctx, kept, time.Now(), time.Second)
		if err != nil {
			t.Fatal(err)
		}
		run := func() bool {
			state, _, fresh, err := e.pool.acquire(ctx, used, time.Now(), time.Second)
			if err != nil {
				t.Fatal(err)
			}
			e.pool.release(state, true)
			return fresh > 0
		}
		for range 6 {
			time.Sleep(idleTime / 2)
			if run() {
				t.Error("a state that is in use had to be loaded again")
			}
		}
		if got, want := e.pool.used(), "2 states, 2 places, 0 in line, 0 waiting"; got != want {
			t.Errorf("with one at work and one in use: %s, want %s", got, want)
		}
		e.pool.release(working, true)
		time.Sleep(2 * idleTime)
		if got, want := e.pool.used(), "0 states, 0 places, 0 in line, 0 waiting"; got != want {
			t.Errorf("when nothing happens: %s, want %s", got, want)
		}
		if e.pool.trimmer.Stop() {
			t.Error("a timer runs where there is nothing to trim")
		}
		if !run() {
			t.Error("it was not loaded again")
		}
		time.Sleep(2 * idleTime)
		if n := e.pool.resting(); n != 0 {
			t.Errorf("%d states were kept the second time", n)
		}
		run()
		closeEngine(t, e)
		if e.pool.trimmer.Stop() {
			t.Error("the timer outlives the engine")
		}
	})
}

// A run that finds a state at rest allocates nothing to get it and to put it back.
func TestAcquireAllocatesNothing(t *testing.T) {
	e := poolEngine(t, 1, 2)
	ctx, s, now := context.Background(), e.loaded.scripts[0], time.Now()
	n := testing.AllocsPerRun(1000, func() {
		state, _, _, err := e.pool.acquire(ctx, s, now, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		e.pool.release(state, true)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
	closeEngine(t, e)
}
