package engine

import (
	"container/list"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// waiter is somebody who waits in the pool's line.
type waiter struct {
	script *script
	called bool         // it has left the line, or is given something; guarded by the pool
	given  chan *pooled // has room for what it waits for: a state of the script, or nil, a place for one
}

// room is for a run that has found no state of its script at rest. It gives one after
// all, or nil: then there is a place for a new one, that load must fill.
func (p *pool) room(ctx context.Context, s *script, patience time.Duration) (*pooled, error) {
	p.mu.Lock()
	if p.places < p.max {
		p.places++
		p.mu.Unlock()
		return nil, nil
	}
	p.waiting.Add(1)
	if p.line.Len() == 0 { // else none has been put to rest since the first one of the line has looked
		if state := s.take(0); state != nil {
			p.waiting.Add(-1)
			p.mu.Unlock()
			return state, nil
		}
		if old := p.evict(); old != nil {
			p.waiting.Add(-1)
			p.mu.Unlock()
			old.Close()
			return nil, nil
		}
	}
	w := &waiter{script: s, given: make(chan *pooled, 1)}
	place := p.line.PushBack(w)
	handed := p.handed
	p.mu.Unlock()

	over := time.NewTimer(patience)
	defer over.Stop()
	var err error
	for err == nil {
		select {
		case state := <-w.given:
			return state, nil
		case <-ctx.Done():
			err = gaveUp(ctx, "the caller gave up while all Lua states were at work")
		case <-over.C:
			if p.moves(&handed) { // its turn will come
				over.Reset(patience)
				continue
			}
			err = &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: fmt.Sprintf("all %d Lua states were at work for %s; WithMaxStates sets their number", p.max, patience)}
		}
	}
	if !p.leave(place, w) { // something was given to it at the last moment
		return <-w.given, nil
	}
	return nil, err
}

// moves tells whether states came back since so many had, and how many have by now.
func (p *pool) moves(since *uint64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	moved := p.handed != *since
	*since = p.handed
	return moved
}

// leave takes somebody out of the line; it tells whether they still stood there.
func (p *pool) leave(place *list.Element, w *waiter) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.called {
		return false
	}
	p.line.Remove(place)
	p.waiting.Add(-1)
	return true
}

// first takes the first one out of the line; nil: nobody waits. p.mu is held.
func (p *pool) first() *waiter {
	front := p.line.Front()
	if front == nil {
		return nil
	}
	w := p.line.Remove(front).(*waiter)
	w.called = true
	p.waiting.Add(-1)
	return w
}

// load fills a place with a new state, which is at work.
func (p *pool) load(ctx context.Context, s *script) (*pooled, error) {
	state, err := s.newState(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.free()
		return nil, err
	}
	return p.insert(s, state), nil
}

// free gives a place to the first one in the line. p.mu is held.
func (p *pool) free() {
	if w := p.first(); w != nil {
		w.given <- nil
		return
	}
	p.places--
}

// handOn is for a state that comes back from work and must not just be put to rest:
// because somebody waits, or because it is not to be used again.
func (p *pool) handOn(state *pooled, keep bool) {
	p.mu.Lock()
	p.handed++
	if keep && !state.script.retired.Load() {
		front := p.line.Front()
		if front == nil {
			state.rested.Store(state.used)
			p.mu.Unlock()
			return
		}
		if front.Value.(*waiter).script == state.script {
			p.first().given <- state
			p.mu.Unlock()
			return
		}
	}
	p.remove(state)
	p.free()
	p.mu.Unlock()
	state.Close()
}

// add keeps a state that was just loaded. Where all others are at work and there is no
// room, it goes.
func (p *pool) add(s *script, state *luabind.State) {
	p.mu.Lock()
	gone := state
	if p.places < p.max {
		p.places++
		gone = nil
	} else if old := p.evict(); old != nil {
		gone = old.State
	}
	if gone != state {
		added := p.insert(s, state)
		added.used = p.age(time.Now())
		added.rested.Store(added.used)
	}
	p.mu.Unlock()
	if gone != nil {
		gone.Close()
	}
}

// evict takes the state that has rested longest out of the pool; its place is the
// caller's. That is the one whose latest run began first: no clock is read when a run
// ends. nil: all are at work. p.mu is held.
func (p *pool) evict() *pooled {
	for {
		var oldest *pooled
		var since int64
		for _, state := range p.states {
			if t := state.rested.Load(); t != atWork && (oldest == nil || t < since) {
				oldest, since = state, t
			}
		}
		if oldest == nil {
			return nil
		}
		if oldest.take(since) {
			p.remove(oldest)
			return oldest
		}
	}
}

// retire frees the script's states, those at work when they come back.
func (p *pool) retire(s *script) {
	p.mu.Lock()
	s.retired.Store(true)
	var resting []*pooled
	for state := s.take(0); state != nil; state = s.take(0) {
		p.remove(state)
		p.free()
		resting = append(resting, state)
	}
	p.mu.Unlock()
	for _, state := range resting {
		state.Close()
	}
}

// insert lists a state, which is at work, in a place that is taken already. p.mu is held.
func (p *pool) insert(s *script, state *luabind.State) *pooled {
	added := &pooled{State: state, script: s, at: len(p.states)}
	p.states = append(p.states, added)
	s.list(append(slices.Clone(s.listed()), added))
	p.keepTrimming()
	return added
}

// remove takes a state that is at work off the lists. p.mu is held.
func (p *pool) remove(state *pooled) {
	last := len(p.states) - 1
	p.states[state.at] = p.states[last]
	p.states[state.at].at = state.at
	p.states[last] = nil
	p.states = p.states[:last]
	s := state.script
	s.list(slices.DeleteFunc(slices.Clone(s.listed()), func(other *pooled) bool { return other == state }))
	if last == 0 {
		p.trimmer.Stop()
	}
}

// listed are the script's states, those at work included. The list itself never changes.
func (s *script) listed() []*pooled {
	if list := s.states.Load(); list != nil {
		return *list
	}
	return nil
}

// list replaces the script's states. The pool's mu is held.
func (s *script) list(states []*pooled) { s.states.Store(&states) }
