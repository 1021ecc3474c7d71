package engine

import (
	"context"
	"fmt"
	"sync/atomic"
)

// activity counts what is under way, so that Close can wait for it. It counts in shares,
// so that processors don't wait for each other's writes. What has begun in a share ends
// in it: one that is empty after close stays empty.
type activity struct {
	closed  atomic.Bool
	drained chan struct{} // gets a token when the last one of a share ends after close
	shares  [shares]activityShare
	_       apart
}

type activityShare struct {
	_       apart
	running atomic.Int64
}

// begin tells whether something may start; if so, end must follow for the share that it
// gives.
func (a *activity) begin() (share int, ok bool) {
	share = lane() % shares
	a.shares[share].running.Add(1)
	if a.closed.Load() {
		a.end(share)
		return 0, false
	}
	return share, true
}

func (a *activity) end(share int) {
	if a.shares[share].running.Add(-1) == 0 && a.closed.Load() {
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
	for i := range a.shares {
		for a.shares[i].running.Load() != 0 {
			select {
			case <-a.drained:
			case <-ctx.Done():
				a.wake() // another Close may wait, and this one may have taken its token
				return fmt.Errorf("events under way: %d: %w", a.underWay(), ctx.Err())
			}
		}
	}
	a.wake() // another Close may wait as well
	return nil
}

func (a *activity) underWay() (n int64) {
	for i := range a.shares {
		n += a.shares[i].running.Load()
	}
	return n
}
