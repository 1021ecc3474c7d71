package engine

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// activity counts what is under way, so that Close can wait for it.
type activity struct {
	closed  atomic.Bool
	running atomic.Int64
	drained chan struct{} // gets a token when the last one ends after close
}

// begin reports whether something may start; if so, end must follow.
func (a *activity) begin() bool {
	a.running.Add(1)
	if a.closed.Load() {
		a.end()
		return false
	}
	return true
}

func (a *activity) end() {
	if a.running.Add(-1) == 0 && a.closed.Load() {
		a.wake()
	}
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
	for a.running.Load() != 0 {
		select {
		case <-a.drained:
		case <-ctx.Done():
			return fmt.Errorf("events under way: %d: %w", a.running.Load(), ctx.Err())
		}
	}
	return nil
}

// endGrace is how long a run may take to end once its context has. One that doesn't, as an
// observer or a logger of the embedder's holds it up, is left behind.
const endGrace = 3 * time.Second

// closeTime is how long Close waits where its context has no deadline.
const closeTime = time.Minute
