package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// owners notices states that two have at once, and more at work than there may be.
type owners struct {
	most   int
	atWork atomic.Int64
	states sync.Map // *pooled -> *atomic.Bool: somebody has it
}

func (o *owners) enter(t *testing.T, state *pooled) {
	taken, _ := o.states.LoadOrStore(state, new(atomic.Bool))
	if !taken.(*atomic.Bool).CompareAndSwap(false, true) {
		t.Error("a state was handed to two")
	}
	if n := o.atWork.Add(1); n > int64(o.most) {
		t.Errorf("%d states are at work, at most %d may be", n, o.most)
	}
}

func (o *owners) leave(state *pooled) {
	o.atWork.Add(-1)
	taken, _ := o.states.Load(state)
	taken.(*atomic.Bool).Store(false)
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
			e := poolEngine(t, test.scripts, test.states)
			e.pool.made = e.pool.made.Add(-time.Hour)
			o := &owners{most: test.states}
			ctx, scripts := context.Background(), e.loaded.scripts
			var all sync.WaitGroup
			for g := range test.goroutines {
				all.Go(func() {
					for i := range test.runs {
						s := scripts[(g+i)%len(scripts)]
						began := time.Now()
						if i%2 == 0 {
							began = began.Add(-2 * idleTime) // so that the state is trimmed when it rests
						}
						state, _, _, err := e.pool.acquire(ctx, s, began, time.Minute)
						if err != nil {
							t.Error(err)
							return
						}
						if state.script != s {
							t.Error("it is another script's")
						}
						o.enter(t, state)
						state.Registrations() // a look at what the state's own goroutine may write
						o.leave(state)
						e.pool.release(state, (g+i)%7 != 0)
						switch {
						case g == 0 && i == test.runs/2: // the rest of the runs are those of a plan that was replaced
							if err := e.Reload(ctx); err != nil {
								t.Error(err)
							}
						case g == 1 && i%16 == 0:
							e.pool.trim()
						}
						e.pool.mu.Lock()
						if e.pool.places > test.states || len(e.pool.states) > e.pool.places {
							t.Errorf("%d states, %d places, at most %d", len(e.pool.states), e.pool.places, test.states)
						}
						e.pool.mu.Unlock()
					}
				})
			}
			all.Wait()
			for _, s := range scripts {
				if n := len(s.listed()); n != 0 {
					t.Errorf("%d states of a retired script were kept", n)
				}
			}
			closeEngine(t, e)
		})
	}
}
