package pool

import (
	"container/list"
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/luahook/luahook/hooks"
)

// line is a line of runs: first come, first served. It is guarded by the pool.
type line struct {
	waiters list.List // of *waiter
	moves   uint64    // counts the states that came back, and the runs that were served, while somebody waited
}

// waiter is a run that waits for a state.
type waiter struct {
	script *Script
	served bool        // it has left the line, or is given something; guarded by the pool
	given  chan *State // has room for what it waits for: a state of the script, or nil, leave to go on without
}

// front is who is served next, or nil.
func (l *line) front() *waiter {
	if at := l.waiters.Front(); at != nil {
		return at.Value.(*waiter)
	}
	return nil
}

// moved notes that a state has come back.
func (l *line) moved() {
	if l.waiters.Len() > 0 {
		l.moves++
	}
}

// serve takes the first one out of a line and gives it a state, or leave to go on (nil); it
// reports whether there was one. p.mu is held.
func (p *Pool) serve(l *line, state *State) bool {
	at := l.waiters.Front()
	if at == nil {
		return false
	}
	w := l.waiters.Remove(at).(*waiter)
	p.waiters.Add(-1)
	l.moves++
	w.served = true
	w.given <- state
	return true
}

// wait waits in a line until it is served. Each time that no state comes back within patience,
// stuck gives the error with which it gives up; without stuck it waits on. wait is called with p.mu
// held by one of the waiters. It returns without p.mu, and is a waiter no more.
func (p *Pool) wait(ctx context.Context, l *line, s *Script, patience time.Duration, stuck func() error) (*State, error) {
	w := &waiter{script: s, given: make(chan *State, 1)}
	at := l.waiters.PushBack(w)
	moves := l.moves
	p.mu.Unlock()

	var over <-chan time.Time
	if stuck != nil {
		ticker := time.NewTicker(patience)
		defer ticker.Stop()
		over = ticker.C
	}
	for {
		var err error
		select {
		case state := <-w.given:
			return state, nil
		case <-ctx.Done():
			err = &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: "the caller gave up while all Lua states were at work: " + ctx.Err().Error(), Err: ctx.Err()}
		case <-over:
		}
		p.mu.Lock()
		if w.served { // at the last moment
			p.mu.Unlock()
			return <-w.given, nil
		}
		if err == nil && l.moves == moves {
			err = stuck()
		}
		if err != nil {
			l.waiters.Remove(at)
			p.waiters.Add(-1)
			p.mu.Unlock()
			return nil, err
		}
		moves = l.moves
		p.mu.Unlock()
	}
}

// statesPerProcessor is how many states of one script compute at once for each processor. Two, as
// one may be held up while its run collects garbage.
const statesPerProcessor = 2

// crowdedPatience is how long a crowded script's runs may hold all of its states before it gets one
// more: a function of the embedder may wait for something without saying so.
const crowdedPatience = 20 * time.Millisecond

// crowded reports whether as many of the script's states compute as can be of use: more of them
// at once are no quicker, and each stays in memory for a minute. The pool's mu is held.
func (s *Script) crowded() bool {
	return s.places-int(s.outside.Load()) >= statesPerProcessor*runtime.GOMAXPROCS(0)
}

// turn waits while the script is crowded. It gives a state that has come back, or nil: the script
// may have one more, which is counted. It is called with p.mu held by one of the waiters, and returns
// likewise unless there is a state or an error.
func (p *Pool) turn(ctx context.Context, s *Script) (*State, error) {
	if s.line.front() == nil && !s.crowded() {
		s.places++
		return nil, nil
	}
	if s.watch == nil {
		s.watch = time.AfterFunc(crowdedPatience, func() { p.look(s) })
	}
	if !s.watched {
		s.watched, s.seen = true, s.line.moves
		s.watch.Reset(crowdedPatience)
	}
	state, err := p.wait(ctx, &s.line, s, 0, nil)
	if state == nil && err == nil {
		p.mu.Lock()
		p.waiters.Add(1)
	}
	return state, err
}

// look has the first one in a crowded script's line go on where nothing has moved since it
// looked last, and looks again later as long as there is a line.
func (p *Pool) look(s *Script) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !s.watched { // it was stopped too late
		return
	}
	if s.line.front() != nil && s.line.moves == s.seen {
		s.places++
		p.serve(&s.line, nil)
	}
	s.seen = s.line.moves
	if s.watched = s.line.front() != nil; s.watched {
		s.watch.Reset(crowdedPatience)
	}
}

// place waits until there is a state of the script, or a place for a new one, which is
// nil: load must fill it. It is called with p.mu held by one of the waiters, and returns
// without.
func (p *Pool) place(ctx context.Context, s *Script, patience time.Duration) (*State, error) {
	if p.places < p.max {
		p.places++
		p.waiters.Add(-1)
		p.mu.Unlock()
		return nil, nil
	}
	if p.evict() {
		p.waiters.Add(-1)
		p.mu.Unlock()
		return nil, nil
	}
	state, err := p.wait(ctx, &p.line, s, patience, func() error {
		return &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: fmt.Sprintf("all %d Lua states were at work for %s; WithMaxStates sets their number", p.max, patience)}
	})
	if err != nil {
		p.mu.Lock()
		p.lessCrowded(s)
		p.mu.Unlock()
	}
	return state, err
}

// free gives a place to the first one in the line. p.mu is held.
func (p *Pool) free() {
	if !p.serve(&p.line, nil) {
		p.places--
	}
}

// lessCrowded takes one of the script's states out of the count. Nothing outlives the last one. p.mu
// is held.
func (p *Pool) lessCrowded(s *Script) {
	s.places--
	p.admit(s)
	if s.places == 0 && s.watched {
		s.watch.Stop()
		s.watched = false
	}
}

// admit has the first ones in the script's line go on, as long as it isn't crowded. p.mu is held.
func (p *Pool) admit(s *Script) {
	for s.line.front() != nil && !s.crowded() {
		s.places++
		p.serve(&s.line, nil)
	}
}

// outside notes that the run begins to wait for something outside, or that it goes on.
func (s *State) outside(begins bool) {
	if !begins {
		s.script.outside.Add(-1)
		return
	}
	s.script.outside.Add(1)
	if s.pool.waiters.Load() > 0 {
		s.pool.mu.Lock()
		s.pool.admit(s.script)
		s.pool.mu.Unlock()
	}
}
