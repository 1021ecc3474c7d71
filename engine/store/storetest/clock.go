package storetest

import (
	"sync"
	"time"
)

// Clock is a clock that a test advances; several goroutines may read it.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that stands still.
func NewClock() *Clock { return &Clock{now: time.Unix(1e9, 0)} }

// Time returns the time, for a store.
func (c *Clock) Time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance advances the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
