package engine

import (
	"context"
	"fmt"
	"sync/atomic"
)

// activity counts what is under way, so that Close can wait for it.
type activity struct {
	running atomic.Int64
	closed  atomic.Bool
	drained chan struct{} // gets a token when the last one ends after close
}

// begin tells whether something may start; if so, end must follow.
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
		select {
		case a.drained <- struct{}{}:
		default:
		}
	}
}

// close refuses new beginnings and waits until nothing runs.
func (a *activity) close(ctx context.Context) error {
	a.closed.Store(true)
	for a.running.Load() != 0 {
		select {
		case <-a.drained:
		case <-ctx.Done():
			return fmt.Errorf("events under way: %d: %w", a.running.Load(), ctx.Err())
		}
	}
	select { // another Close may wait as well
	case a.drained <- struct{}{}:
	default:
	}
	return nil
}
