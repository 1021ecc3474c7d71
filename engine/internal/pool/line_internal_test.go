package pool

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// atOnce is how many states of a script may compute.
func atOnce() int { return statesPerProcessor * runtime.GOMAXPROCS(0) }

// acquire takes a state that must be there, or be loaded, at once.
func acquire(t *testing.T, p *Pool, s *Script) *State {
	t.Helper()
	before := time.Now()
	state, _, _, err := p.Acquire(t.Context(), s, nil, before, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if waited := time.Since(before); waited > 0 {
		t.Errorf("it waited %s", waited)
	}
	return state
}

// crowd takes as many states of a script as may compute.
func crowd(t *testing.T, p *Pool, s *Script) (all []*State) {
	t.Helper()
	for range atOnce() {
		all = append(all, acquire(t, p, s))
	}
	return all
}

// putBack ends the runs that have states, and retires all scripts.
func putBack(t *testing.T, p *Pool, scripts []*Script, states []*State) {
	t.Helper()
	for _, state := range states {
		p.Release(state, true)
	}
	retireAll(t, p, scripts)
}

// arrival is a run that has asked for a state.
type arrival struct {
	state *State
	fresh bool
	err   error
	after time.Duration
}

// ask has a run ask for a state, and returns once it has one or waits.
func ask(ctx context.Context, p *Pool, s *Script) <-chan arrival {
	came := make(chan arrival, 1)
	go func() {
		began := time.Now()
		state, _, fresh, err := p.Acquire(ctx, s, nil, began, time.Minute)
		came <- arrival{state, fresh > 0, err, time.Since(began)}
	}()
	synctest.Wait()
	return came
}

// A script whose states all compute gets no more of them: its runs take turns, those of other scripts don't wait.
func TestCrowdedScriptTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, scripts := newPool(t, 2, 1000)
		s := scripts[0]
		all := crowd(t, p, s)
		first, second := ask(t.Context(), p, s), ask(t.Context(), p, s)
		p.Release(acquire(t, p, scripts[1]), true)
		for i, came := range []<-chan arrival{first, second} {
			select {
			case a := <-came:
				t.Fatalf("run %d came before its turn: %+v", i, a)
			default:
			}
			time.Sleep(crowdedPatience / 2)
			p.Release(all[i], true)
			synctest.Wait()
			if a := <-came; a.err != nil || a.fresh || a.state != all[i] {
				t.Errorf("run %d didn't get the state that came back: %+v", i, a)
			}
		}
		if got, want := len(s.states), atOnce(); got != want {
			t.Errorf("there are %d states, want %d", got, want)
		}
		putBack(t, p, scripts, all)
	})
}

// A state that isn't kept makes room for another one.
func TestCrowdedScriptReplacesBrokenStates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, scripts := newPool(t, 1, 1000)
		all := crowd(t, p, scripts[0])
		came := ask(t.Context(), p, scripts[0])
		p.Release(all[0], false)
		synctest.Wait()
		a := <-came
		if a.err != nil || !a.fresh || a.after > 0 {
			t.Fatalf("%+v", a)
		}
		putBack(t, p, scripts, append(all[1:], a.state))
	})
}

// Runs that wait for something outside don't count: others may use the processors meanwhile.
func TestRunsOutsideDontCrowd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, scripts := newPool(t, 1, 1000)
		s := scripts[0]
		all := crowd(t, p, s)
		came := ask(t.Context(), p, s)
		all[0].outside(true)
		synctest.Wait()
		a := <-came
		if a.err != nil || !a.fresh || a.after > 0 {
			t.Fatalf("who waited while a run went outside: %+v", a)
		}
		all[1].outside(true)
		all = append(all, a.state, acquire(t, p, s))
		all[0].outside(false)
		all[1].outside(false)
		last := ask(t.Context(), p, s)
		p.Release(all[2], true)
		synctest.Wait()
		if a := <-last; a.err != nil || a.fresh {
			t.Errorf("who came when all were back: %+v", a)
		}
		putBack(t, p, scripts, all)
	})
}

// A script whose runs are all held up by something that nobody knows of gets one more state at a time.
func TestCrowdedScriptGrowsWhereNothingMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, scripts := newPool(t, 1, 1000)
		all := crowd(t, p, scripts[0])
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var came []<-chan arrival
		for range 3 {
			came = append(came, ask(ctx, p, scripts[0]))
		}
		last := time.Duration(0)
		for i, c := range came {
			a := <-c
			if a.err != nil || !a.fresh || a.after < last+crowdedPatience || a.after > last+2*crowdedPatience {
				t.Fatalf("run %d, after one that came at %s: %+v", i, last, a)
			}
			all, last = append(all, a.state), a.after
		}
		moving := ask(t.Context(), p, scripts[0])
		for range 10 { // each time a run comes back, and another one begins that was there before
			time.Sleep(crowdedPatience * 3 / 4)
			p.mu.Lock()
			scripts[0].line.moved()
			p.mu.Unlock()
		}
		select {
		case a := <-moving:
			t.Errorf("it came while others moved: %+v", a)
		default:
		}
		p.Release(all[0], true)
		<-moving
		putBack(t, p, scripts, all)
	})
}

// Who gives up leaves the line of a crowded script.
func TestCrowdedWaiterGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, scripts := newPool(t, 1, 1000)
		all := crowd(t, p, scripts[0])
		ctx, cancel := context.WithCancel(t.Context())
		gone, stays := ask(ctx, p, scripts[0]), ask(t.Context(), p, scripts[0])
		cancel()
		synctest.Wait()
		if a := <-gone; !errors.Is(a.err, context.Canceled) {
			t.Errorf("%+v", a)
		}
		p.Release(all[0], true)
		synctest.Wait()
		if a := <-stays; a.err != nil || a.state != all[0] || a.after > 0 {
			t.Errorf("%+v", a)
		}
		putBack(t, p, scripts, all)
	})
}

// A crowded script that is always asked for doesn't keep its places from others.
func TestCrowdedScriptGivesPlacesAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(atOnce())
		scripts := newScripts(t, 2)
		busy, other := scripts[0], scripts[1]
		all := crowd(t, p, busy)
		var order []string
		var mu sync.Mutex
		var runs sync.WaitGroup
		for i, s := range []*Script{busy, other, busy} {
			runs.Go(func() {
				state, _, _, err := p.Acquire(t.Context(), s, nil, time.Now(), time.Minute)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				order = append(order, fmt.Sprint(i))
				mu.Unlock()
				time.Sleep(time.Millisecond)
				p.Release(state, true)
			})
			synctest.Wait()
		}
		p.Release(all[0], true)
		runs.Wait()
		if !slices.Contains(order[:2], "1") {
			t.Errorf("they were served in the order %q", order)
		}
		putBack(t, p, scripts, all[1:])
	})
}
