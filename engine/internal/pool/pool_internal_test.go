package pool

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

// used tells what the pool holds.
func (p *Pool) used() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("%d states, %d places, %d in line", p.states.Len(), p.places, p.waiters.Load())
}

// newScripts are n scripts that do nothing.
func newScripts(t testing.TB, n int) (list []*Script) {
	t.Helper()
	for i := range n {
		program, err := compile.Script(fmt.Sprintf("s%d.lua", i), `on("stop", function() end)`)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, &Script{Program: program, Environment: luabind.Environment{Limits: luabind.DefaultLimits, Logger: slog.New(slog.DiscardHandler)}})
	}
	return list
}

// newPool is a pool with a state of each of n scripts, as far as there is room.
func newPool(t testing.TB, n, states int) (*Pool, []*Script) {
	t.Helper()
	p, scripts := New(states), newScripts(t, n)
	for _, s := range scripts {
		state, err := s.FirstState(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Add(s, state)
	}
	return p, scripts
}

// retireAll retires all scripts, which leaves nothing.
func retireAll(t testing.TB, p *Pool, scripts []*Script) {
	t.Helper()
	for _, s := range scripts {
		p.Retire(s)
	}
	if got, want := p.used(), "0 states, 0 places, 0 in line"; got != want {
		t.Errorf("in the end: %s, want %s", got, want)
	}
	for i, s := range scripts {
		if n, waiting := s.places, s.line.waiters.Len(); n != 0 || waiting != 0 || s.outside.Load() != 0 || s.watched {
			t.Errorf("in the end: script %d counts %d states, %d in its line, %d outside, watched %v", i, n, waiting, s.outside.Load(), s.watched)
		}
	}
}

// Who waits for a state is served in order: with a state of its script, or with the place
// of another's.
func TestWaitersAreServedInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, scripts := newPool(t, 2, 1)
		ctx, a, b := context.Background(), scripts[0], scripts[1]
		first, _, _, err := p.Acquire(ctx, a, nil, time.Now(), time.Second)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		var mu sync.Mutex
		var all sync.WaitGroup
		for i, s := range []*Script{a, b, b, a} {
			all.Go(func() {
				state, _, fresh, err := p.Acquire(ctx, s, nil, time.Now(), time.Minute)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				got = append(got, fmt.Sprint(i, " ", fresh > 0))
				mu.Unlock()
				p.Release(state, i != 1) // b's goes, so the next one needs a new one, too
			})
			synctest.Wait()
		}
		if got, want := p.used(), "1 states, 1 places, 4 in line"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		p.Release(first, true)
		all.Wait()
		if want := []string{"0 false", "1 true", "2 true", "3 true"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		retireAll(t, p, scripts)
	})
}

// Who gives up leaves the line, and what was meant for it goes to the next.
func TestWaiterGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, scripts := newPool(t, 1, 1)
		s := scripts[0]
		state, _, _, err := p.Acquire(context.Background(), s, nil, time.Now(), time.Second)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		var all sync.WaitGroup
		all.Go(func() {
			if _, _, _, err := p.Acquire(ctx, s, nil, time.Now(), time.Minute); err == nil {
				t.Error("it was given one")
			}
		})
		synctest.Wait()
		all.Go(func() {
			next, _, fresh, err := p.Acquire(context.Background(), s, nil, time.Now(), time.Minute)
			if err != nil || fresh > 0 {
				t.Errorf("the next: fresh %v, %v", fresh, err)
				return
			}
			p.Release(next, true)
		})
		synctest.Wait()
		cancel()
		synctest.Wait()
		p.Release(state, true)
		all.Wait()
		retireAll(t, p, scripts)
	})
}

// What is given to somebody who gives up at the same moment is not lost.
func TestWaiterGivesUpTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, scripts := newPool(t, 1, 1)
		s := scripts[0]
		state, _, _, err := p.Acquire(context.Background(), s, nil, time.Now(), time.Second)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		var all sync.WaitGroup
		all.Go(func() {
			given, _, _, err := p.Acquire(ctx, s, nil, time.Now(), time.Minute)
			if err != nil {
				t.Error(err)
				return
			}
			p.Release(given, true)
		})
		synctest.Wait()
		p.mu.Lock() // so that it can't leave the line
		cancel()
		p.serve(&p.line, state)
		p.lessCrowded(s)
		p.mu.Unlock()
		all.Wait()
		retireAll(t, p, scripts)
	})
}

// Pools grow by what runs at the same time, whatever the number of scripts.
func TestPoolGrowsOnDemand(t *testing.T) {
	p, scripts := newPool(t, 3, 100)
	ctx, s := context.Background(), scripts[1]
	for range 3 {
		var working []*State
		for range 4 {
			state, _, _, err := p.Acquire(ctx, s, nil, time.Now(), time.Second)
			if err != nil {
				t.Fatal(err)
			}
			working = append(working, state)
		}
		for _, state := range working {
			p.Release(state, true)
		}
	}
	if got, want := p.used(), "6 states, 6 places, 0 in line"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	retireAll(t, p, scripts)
}

// States that nobody has used for a while go; the timer that sees to it is there only
// while states are.
func TestIdleStatesGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, scripts := newPool(t, 3, 100)
		ctx, used, kept := context.Background(), scripts[0], scripts[1]
		working, _, _, err := p.Acquire(ctx, kept, nil, time.Now(), time.Second)
		if err != nil {
			t.Fatal(err)
		}
		run := func() bool {
			state, _, fresh, err := p.Acquire(ctx, used, nil, time.Now(), time.Second)
			if err != nil {
				t.Fatal(err)
			}
			p.Release(state, true)
			return fresh > 0
		}
		for range 6 {
			time.Sleep(idleTime / 2)
			if run() {
				t.Error("a state that is in use had to be loaded again")
			}
		}
		if got, want := p.used(), "2 states, 2 places, 0 in line"; got != want {
			t.Errorf("with one at work and one in use: %s, want %s", got, want)
		}
		p.Release(working, true)
		time.Sleep(2 * idleTime)
		if got, want := p.used(), "0 states, 0 places, 0 in line"; got != want {
			t.Errorf("when nothing happens: %s, want %s", got, want)
		}
		if p.trimmer.Stop() {
			t.Error("a timer runs where there is nothing to trim")
		}
		if !run() {
			t.Error("it was not loaded again")
		}
		time.Sleep(2 * idleTime)
		if n := p.Resting(); n != 0 {
			t.Errorf("%d states were kept the second time", n)
		}
		run()
		retireAll(t, p, scripts)
		if p.trimmer.Stop() {
			t.Error("the timer outlives the states")
		}
	})
}

// A run that finds a state at rest allocates nothing to get it and to put it back.
func TestAcquireAllocatesNothing(t *testing.T) {
	p, scripts := newPool(t, 1, 2)
	ctx, s, now := context.Background(), scripts[0], time.Now()
	n := testing.AllocsPerRun(1000, func() {
		state, _, _, err := p.Acquire(ctx, s, nil, now, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		p.Release(state, true)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
	retireAll(t, p, scripts)
}

// owners notices states that two have at once, and more at work than there may be.
type owners struct {
	most   int
	atWork atomic.Int64
	states sync.Map // *State -> *atomic.Bool: somebody has it
}

func (o *owners) enter(t *testing.T, state *State) {
	taken, _ := o.states.LoadOrStore(state, new(atomic.Bool))
	if !taken.(*atomic.Bool).CompareAndSwap(false, true) {
		t.Error("a state was handed to two")
	}
	if n := o.atWork.Add(1); n > int64(o.most) {
		t.Errorf("%d states are at work, at most %d may be", n, o.most)
	}
}

func (o *owners) leave(state *State) {
	o.atWork.Add(-1)
	taken, _ := o.states.Load(state)
	taken.(*atomic.Bool).Store(false)
}

// A run that begins to wait just as the only state comes back gets it.
func TestNobodyWaitsForAStateAtRest(t *testing.T) {
	p, scripts := newPool(t, 1, 1)
	var arrived atomic.Int64
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			for round := range int64(1_000_000) {
				for arrived.Add(1); arrived.Load() < 2*round+2; { // both begin at once
					runtime.Gosched()
				}
				state, _, _, err := p.Acquire(t.Context(), scripts[0], nil, time.Now(), 10*time.Second)
				if err != nil {
					t.Error(err)
					arrived.Store(1 << 40) // the other one needn't wait
					return
				}
				p.Release(state, true)
			}
		})
	}
	both.Wait()
	retireAll(t, p, scripts)
}

// A state belongs to one run at a time and their number is bounded, whatever comes and
// goes at the same time; when all is over nothing is left.
func TestPoolUnderLoad(t *testing.T) {
	tests := []struct{ scripts, states, goroutines, runs int }{
		{1, 8, 8, 60}, // enough for all: they only rest and work
		{1, 2, 8, 60}, // they wait for each other
		{3, 2, 8, 30}, // and drive each other out
		{12, 8, 8, 30},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%d scripts, %d states", test.scripts, test.states), func(t *testing.T) {
			p, scripts := newPool(t, test.scripts, test.states)
			o := &owners{most: test.states}
			ctx := context.Background()
			var all sync.WaitGroup
			for g := range test.goroutines {
				all.Go(func() {
					latest := make([]*State, len(scripts)) // some runs take the state that they had before
					for i := range test.runs {
						of := (g + i/2) % len(scripts)
						s := scripts[of]
						began := time.Now()
						if i%2 == 0 {
							began = began.Add(-2 * idleTime) // so that the state is trimmed when it rests
						}
						state, _, _, err := p.Acquire(ctx, s, latest[of], began, time.Minute)
						if err != nil {
							t.Error(err)
							return
						}
						latest[of] = state
						if state.script != s {
							t.Error("it is another script's")
						}
						o.enter(t, state)
						state.Registrations() // a look at what the state's own goroutine may write
						o.leave(state)
						p.Release(state, (g+i)%7 != 0)
						switch {
						case g == 0 && i == test.runs/2: // the rest of the runs are those of a plan that was replaced
							for _, s := range scripts {
								p.Retire(s)
							}
						case g == 1 && i%16 == 0:
							p.trim()
						}
						p.mu.Lock()
						if p.places > test.states || p.states.Len() > p.places {
							t.Errorf("%d states, %d places, at most %d", p.states.Len(), p.places, test.states)
						}
						p.mu.Unlock()
					}
				})
			}
			all.Wait()
			for _, s := range scripts {
				if n := len(s.states); n != 0 {
					t.Errorf("%d states of a retired script were kept", n)
				}
			}
			retireAll(t, p, scripts)
		})
	}
}
