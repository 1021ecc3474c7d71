package engine

import (
	"container/list"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/luabind"
)

// pool keeps loaded states between events. One pool serves all scripts of an engine,
// so that the bound holds over all of them: there are never more than max states, those
// at work, those at rest and those that are just being loaded for a run together (the
// first of a script that New or Reload is just loading comes on top).
//
// A run that finds a state of its script at rest, which is nearly every one, takes it
// with one atomic operation on that state, puts it back with another, and writes to
// nothing that the pool or the script shares. Everything else is done under mu: see
// poolroom.go for states that have to be made or to go, pooltrim.go for those that nobody
// uses any more.
type pool struct {
	max  int
	made time.Time // what ages are counted from

	// waiting counts who found no room. It is looked at by every release, after the state
	// was put to rest, and goes up before who counts there looks for states at rest: so one
	// of the two sees the other.
	waiting atomic.Int32

	mu      sync.Mutex
	places  int       // that are taken, max at most: by states, and by those that are being loaded
	states  []*pooled // all of them
	line    list.List // of *waiter: first come, first served
	handed  uint64    // counts the states that came back while somebody waited
	trimmer *time.Timer
}

// pooled is a state with what its pool knows of it. It belongs to who has taken it, until
// it is put to rest.
type pooled struct {
	*luabind.State
	script *script
	used   int64 // when the latest run in it began
	at     int   // its index in the pool's states; guarded by the pool

	// rested is what used was when it was put to rest, or atWork. Who changes it to atWork
	// has taken the state; one that has gone stays at work for ever.
	rested atomic.Int64

	_ [24]byte // fills the cache line: another processor may be using the next one
}

const atWork = 0

// stillTimes is how many times as long as a run may take no state may come back before
// those who wait give up: so long nothing happens only where all wait for each other.
const stillTimes = 10

func newPool(size int) *pool {
	return &pool{max: size, made: time.Now()}
}

// acquire gives a state of the script for a run that begins now; release must follow. It
// waits while max states are at work, as long as ctx lets it and while any of them comes
// back within patience: those who hold the states may all be waiting for one themselves.
// began is when the run begins, after all that. loading is what it took to load the state,
// 0 where there was one; the rest of the time was others'.
func (p *pool) acquire(ctx context.Context, s *script, now time.Time, patience time.Duration) (state *pooled, began time.Time, loading time.Duration, err error) {
	if p.waiting.Load() == 0 { // else none is at rest
		if state = s.take(lane()); state != nil {
			state.used = p.age(now)
			return state, now, 0, nil
		}
	}
	if state, err = p.room(ctx, s, patience); err != nil {
		return nil, now, 0, err
	}
	if state == nil {
		started := time.Now()
		if state, err = p.load(ctx, s); err != nil {
			return nil, now, time.Since(started), err
		}
		loading = max(state.Took(), 1)
	}
	began = time.Now()
	state.used = p.age(began)
	return state, began, loading, nil
}

// age is a moment as the pool's states keep it.
func (p *pool) age(t time.Time) int64 {
	return max(int64(t.Sub(p.made)), atWork+1)
}

// take gives a state of the script that is at rest, nil where there is none. Processors
// look for it from different places on, so that each mostly finds the one that it has
// used before, which is still in its cache.
func (s *script) take(from int) *pooled {
	list := s.states.Load()
	if list == nil || len(*list) == 0 {
		return nil
	}
	n := len(*list)
	for i := range n {
		state := (*list)[(from+i)%n]
		if since := state.rested.Load(); since != atWork && state.take(since) {
			return state
		}
	}
	return nil
}

// take takes a state that has been at rest since; it fails where another was faster.
func (s *pooled) take(since int64) bool {
	return s.rested.CompareAndSwap(since, atWork)
}

// release ends a run: the state rests until the next, or goes where it is not to be kept
// or its script is retired.
func (p *pool) release(state *pooled, keep bool) {
	if keep {
		since := state.used
		state.rested.Store(since)
		if p.waiting.Load() == 0 && !state.script.retired.Load() {
			return
		}
		if !state.take(since) { // whoever has it now looks as well when it comes back
			return
		}
	}
	p.handOn(state, keep)
}
