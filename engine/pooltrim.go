package engine

import (
	"slices"
	"time"
)

// idleTime is how long a state is kept that no run needs.
const idleTime = time.Minute

// keepTrimming has the idle states looked for from now on. A timer does it, that runs
// only while there are states: an engine that is closed or not used has none. p.mu is
// held.
func (p *pool) keepTrimming() {
	switch {
	case p.trimmer == nil:
		p.trimmer = time.AfterFunc(idleTime, p.trim)
	case len(p.states) == 1: // the first one again
		p.trimmer.Reset(idleTime)
	}
}

// trim frees the states that were not used for idleTime.
func (p *pool) trim() {
	now := p.age(time.Now())
	next := idleTime
	p.mu.Lock()
	var idle []*pooled
	for _, state := range slices.Clone(p.states) {
		since := state.rested.Load()
		if since == atWork {
			continue
		}
		left := idleTime - time.Duration(now-since)
		if left > 0 || !state.take(since) {
			next = min(next, left)
			continue
		}
		p.remove(state)
		p.free()
		idle = append(idle, state)
	}
	if len(p.states) > 0 {
		p.trimmer.Reset(max(next, idleTime/4)) // those that follow each other closely go together
	}
	p.mu.Unlock()
	for _, state := range idle {
		state.Close()
	}
}
