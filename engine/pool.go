package engine

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// pool keeps loaded states between events. One pool serves all scripts of an
// engine, so that the bound holds over all of them: states at work plus states at
// rest never exceed max (the first of a script that New or Reload is just loading
// comes on top). When a script needs a new one and there is no room, the state that
// has rested longest goes.
type pool struct {
	max   int
	slots chan struct{} // one token per state at work

	mu   sync.Mutex
	rest *list.List // of *rested, longest first
}

type rested struct {
	script *script
	state  *luabind.State
}

func newPool(size int) *pool {
	return &pool{max: size, slots: make(chan struct{}, size), rest: list.New()}
}

// acquire gives a state of the script for one run; release must follow. It waits
// while max states are at work, as long as ctx lets it and no longer than patience:
// those who hold the states may be waiting for one themselves. fresh tells that the
// state had to be loaded.
func (p *pool) acquire(ctx context.Context, s *script, patience time.Duration) (state *luabind.State, fresh bool, err error) {
	select {
	case p.slots <- struct{}{}:
	default:
		over := time.NewTimer(patience)
		defer over.Stop()
		select {
		case p.slots <- struct{}{}:
		case <-ctx.Done():
			return nil, false, gaveUp(ctx, "the caller gave up while all Lua states were at work")
		case <-over.C:
			return nil, false, &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: fmt.Sprintf("all %d Lua states were at work for %s; WithMaxStates sets their number", p.max, patience)}
		}
	}
	if state := p.take(s); state != nil {
		return state, false, nil
	}
	if state, err = s.newState(ctx); err != nil {
		<-p.slots
		return nil, true, err
	}
	return state, true, nil
}

// take gives the script's most recently used state at rest. Where it has none, it
// makes room for a new one.
func (p *pool) take(s *script) *luabind.State {
	p.mu.Lock()
	if n := len(s.rest); n > 0 {
		element := s.rest[n-1]
		s.rest = s.rest[:n-1]
		state := p.rest.Remove(element).(*rested).state
		p.mu.Unlock()
		return state
	}
	evicted := p.evict(len(p.slots))
	p.mu.Unlock()
	for _, state := range evicted {
		state.Close()
	}
	return nil
}

// evict removes the states that have rested longest until those at rest and the
// given number at work fit. p.mu is held.
func (p *pool) evict(working int) (states []*luabind.State) {
	for p.rest.Len() > 0 && p.rest.Len()+working > p.max {
		oldest := p.rest.Remove(p.rest.Front()).(*rested)
		oldest.script.rest = oldest.script.rest[1:]
		states = append(states, oldest.state)
	}
	return states
}

// release ends a run: the state rests until the next, or goes where it is not to be
// kept or its script is retired.
func (p *pool) release(s *script, state *luabind.State, keep bool) {
	p.mu.Lock()
	keep = keep && !s.retired
	if keep {
		s.rest = append(s.rest, p.rest.PushBack(&rested{s, state}))
	}
	p.mu.Unlock()
	if !keep {
		state.Close()
	}
	<-p.slots
}

// add keeps a state that was just loaded.
func (p *pool) add(s *script, state *luabind.State) {
	p.mu.Lock()
	s.rest = append(s.rest, p.rest.PushBack(&rested{s, state}))
	evicted := p.evict(len(p.slots))
	p.mu.Unlock()
	for _, old := range evicted {
		old.Close()
	}
}

// retire frees the script's states, those at work when they come back.
func (p *pool) retire(s *script) {
	p.mu.Lock()
	s.retired = true
	elements := s.rest
	s.rest = nil
	for _, e := range elements {
		p.rest.Remove(e)
	}
	p.mu.Unlock()
	for _, e := range elements {
		e.Value.(*rested).state.Close()
	}
}
