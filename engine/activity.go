package engine

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/hooks"
)

// activity counts what is under way, so that Close can wait for it, and what events came to. It
// numbers events.
type activity struct {
	closed   atomic.Bool
	drained  chan struct{} // gets a token when the last one of a lane ends after close
	numbered atomic.Uint64 // blocks of numbers that were given out
	lanes    [laneCount]lane
	rest     lane // for what is no event, and for events that concern nobody
}

// lane counts a part of the events. Those on different processors have different ones, as a rule:
// with one for all, each would wait several times for the processor that has counted last.
type lane struct {
	_       [64]byte // what stands before it is on other cache lines
	running atomic.Int64
	decided [len(decisions)]atomic.Uint64 // events, by what they came to
	number  atomic.Uint64                 // the latest that was given out; a multiple of numberBlock has used its block up
}

const (
	laneCount   = 16
	numberBlock = 64 // numbers that a lane takes at once
)

// count counts an event that came to a decision.
func (l *lane) count(d hooks.Decision) { l.decided[decisionOf(d)].Add(1) }

// nextNumber numbers an event, from 1. No other one of the engine has the number.
func (a *activity) nextNumber(l *lane) uint64 {
	for {
		latest := l.number.Load()
		next := latest + 1
		if latest%numberBlock == 0 {
			next = (a.numbered.Add(1)-1)*numberBlock + 1
		}
		if l.number.CompareAndSwap(latest, next) {
			return next
		}
	}
}

// begin reports whether something may start; if so, end must follow, on the same lane.
func (a *activity) begin(l *lane) bool {
	l.running.Add(1)
	if a.closed.Load() {
		a.end(l)
		return false
	}
	return true
}

func (a *activity) end(l *lane) {
	if l.running.Add(-1) == 0 && a.closed.Load() {
		a.wake()
	}
}

// running is how much is under way. After close it doesn't grow.
func (a *activity) running() (n int64) {
	for i := range a.lanes {
		n += a.lanes[i].running.Load()
	}
	return n + a.rest.running.Load()
}

// decided is how many events came to a decision.
func (a *activity) decided(d hooks.Decision) (n uint64) {
	at := decisionOf(d)
	for i := range a.lanes {
		n += a.lanes[i].decided[at].Load()
	}
	return n + a.rest.decided[at].Load()
}

// wake has one Close look again.
func (a *activity) wake() {
	select {
	case a.drained <- struct{}{}:
	default:
	}
}

// close refuses new beginnings and waits until nothing runs.
func (a *activity) close(ctx context.Context) error {
	a.closed.Store(true)
	defer a.wake() // another Close may wait, and this one may have taken its token
	for a.running() != 0 {
		select {
		case <-a.drained:
		case <-ctx.Done():
			return fmt.Errorf("events under way: %d: %w", a.running(), ctx.Err())
		}
	}
	return nil
}

// endGrace is how long a run may take to end once its context has. One that doesn't, as an
// observer or a logger of the embedder's holds it up, is left behind.
const endGrace = 3 * time.Second

// closeTime is how long Close waits where its context has no deadline.
const closeTime = time.Minute
