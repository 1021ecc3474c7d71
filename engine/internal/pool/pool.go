// Package pool keeps the loaded Lua states of scripts between runs and bounds how many
// there are. What scripts there are, and when a hook of one runs, is for package engine.
package pool

import (
	"container/list"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/luabind"
)

// idleTime is how long a state is kept that no run needs.
const idleTime = time.Minute

// Pool keeps states. One pool serves all scripts of an engine, so that the bound holds over
// all of them: there are never more than its maximum, those at work, those at rest and those
// that are just being loaded for a run together. The first state of a script that [Pool.Add]
// has not been given yet comes on top. A script has no more states at work than processors can
// make use of, but for those whose runs wait for something outside. All methods may be called
// from several goroutines.
type Pool struct {
	max int

	waiters atomic.Int32 // runs that look for a state, or wait for one, with mu or in a line

	mu      sync.Mutex
	places  int       // taken by states and by those that are being loaded; max at most
	states  list.List // of *State: all of them
	line    line      // for a place
	trimmer *time.Timer
}

// State is a state with what its pool knows of it. It belongs to the run that it was given
// to until it is released.
type State struct {
	*luabind.State
	pool   *Pool
	script *Script
	place  *list.Element // in the pool's states
	taken  atomic.Bool   // it belongs to somebody, and doesn't rest
	began  atomic.Int64  // the latest run, in nanoseconds of the clock
}

// take reports whether the state rested and is the caller's now.
func (s *State) take() bool { return s.taken.CompareAndSwap(false, true) }

// New is an empty pool of at most max states.
func New(max int) *Pool { return &Pool{max: max} }

// Acquire gives a state of the script for a run that begins now; Release must follow. It
// waits while all states are at work, as long as ctx lets it and while any of them comes back
// within patience: the runs that hold the states may all be waiting for one themselves. It
// waits while the script is crowded, too. latest is a state that the caller has had before, or
// nil: it's given again if it rests, as the processor has its memory at hand. began is when the
// run begins, after all that. loading is what it took to load the state, 0 where there was one.
func (p *Pool) Acquire(ctx context.Context, s *Script, latest *State, now time.Time, patience time.Duration) (state *State, began time.Time, loading time.Duration, err error) {
	if latest == nil || latest.script != s || !latest.take() {
		p.mu.Lock()
		p.waiters.Add(1)
		if latest = s.rested(); latest != nil {
			p.waiters.Add(-1)
			p.mu.Unlock()
		}
	}
	if latest != nil {
		latest.began.Store(now.UnixNano())
		return latest, now, 0, nil
	}
	if state, err = p.turn(ctx, s); state == nil && err == nil {
		state, err = p.place(ctx, s, patience)
	}
	if err != nil {
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
	state.began.Store(began.UnixNano())
	return state, began, loading, nil
}

// rested takes a state of the script that rests; nil for none. The pool's mu is held.
func (s *Script) rested() *State {
	for _, state := range slices.Backward(s.states) {
		if state.take() {
			return state
		}
	}
	return nil
}

// load fills a place with a new state, which is at work.
func (p *Pool) load(ctx context.Context, s *Script) (*State, error) {
	loaded, err := s.newState(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.free()
		p.lessCrowded(s)
		return nil, err
	}
	return p.insert(s, loaded), nil
}

// Release ends a run: the state rests until the next, or goes where it is not to be kept,
// its script is retired, or its place is needed for another script's.
func (p *Pool) Release(state *State, keep bool) {
	s := state.script
	if keep && p.waiters.Load() == 0 && !s.retired.Load() {
		state.taken.Store(false)
		// Who began to wait or retired the script before that has not seen it rest.
		if p.waiters.Load() == 0 && !s.retired.Load() || !state.take() {
			return
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	front := p.line.front()
	p.line.moved()
	s.line.moved()
	if keep && !s.retired.Load() {
		switch {
		case front != nil && front.script == s:
			p.serve(&p.line, state)
			p.lessCrowded(s) // it needs no other one
			return
		case front == nil && p.serve(&s.line, state):
			return
		case front == nil:
			state.taken.Store(false)
			return
		}
	}
	p.remove(state)
	p.free()
}

// Add keeps a state that was just loaded. Where all others are at work and there is no
// place, it is dropped.
func (p *Pool) Add(s *Script, loaded *luabind.State) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.places < p.max {
		p.places++
	} else if !p.evict() {
		return
	}
	s.places++
	p.insert(s, loaded).taken.Store(false)
}

// evict takes the state at rest whose latest run began first out of the pool; its place is
// the caller's. It reports whether there was one: all may be at work. p.mu is held.
func (p *Pool) evict() bool {
	for {
		var oldest *State
		for at := p.states.Front(); at != nil; at = at.Next() {
			if state := at.Value.(*State); !state.taken.Load() && (oldest == nil || state.began.Load() < oldest.began.Load()) {
				oldest = state
			}
		}
		if oldest == nil {
			return false
		}
		if oldest.take() { // otherwise a run was quicker
			p.remove(oldest)
			return true
		}
	}
}

// Retire frees the script's states, those at work when they come back.
func (p *Pool) Retire(s *Script) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.retired.Store(true)
	for state := s.rested(); state != nil; state = s.rested() {
		p.remove(state)
		p.free()
	}
}

// Empty frees the states at rest.
func (p *Pool) Empty() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var following *list.Element
	for at := p.states.Front(); at != nil; at = following {
		following = at.Next()
		if state := at.Value.(*State); state.take() {
			p.remove(state)
			p.free()
		}
	}
}

// insert takes in a state, which is at work, in a place that is taken already. A timer looks
// for idle states from now on; it runs only while there are states. p.mu is held.
func (p *Pool) insert(s *Script, loaded *luabind.State) *State {
	state := &State{State: loaded, pool: p, script: s}
	loaded.OnWait(state.outside)
	state.taken.Store(true)
	state.began.Store(time.Now().UnixNano())
	state.place = p.states.PushBack(state)
	s.states = append(s.states, state)
	switch {
	case p.trimmer == nil:
		p.trimmer = time.AfterFunc(idleTime, p.trim)
	case p.states.Len() == 1: // the first one again
		p.trimmer.Reset(idleTime)
	}
	return state
}

// remove takes a state out that is the caller's. p.mu is held.
func (p *Pool) remove(state *State) {
	p.states.Remove(state.place)
	s := state.script
	s.states = slices.DeleteFunc(s.states, func(other *State) bool { return other == state })
	if p.states.Len() == 0 {
		p.trimmer.Stop()
	}
	p.lessCrowded(s)
}

// trim frees the states that were not used for idleTime.
func (p *Pool) trim() {
	now, next := time.Now(), idleTime
	p.mu.Lock()
	defer p.mu.Unlock()
	var following *list.Element
	for at := p.states.Front(); at != nil; at = following {
		following = at.Next()
		state := at.Value.(*State)
		if left := idleTime - time.Duration(now.UnixNano()-state.began.Load()); left > 0 {
			next = min(next, left)
			continue
		}
		if !state.take() {
			continue
		}
		p.remove(state)
		p.free()
	}
	if p.states.Len() > 0 {
		p.trimmer.Reset(max(next, idleTime/4)) // those that follow each other closely go together
	}
}

// Resting is how many states are at rest.
func (p *Pool) Resting() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for at := p.states.Front(); at != nil; at = at.Next() {
		if !at.Value.(*State).taken.Load() {
			n++
		}
	}
	return n
}
