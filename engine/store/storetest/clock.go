package storetest

import (
	"sync"
	"time"
)

// Clock is one that a test puts forward; several goroutines may read it.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock gives a clock that stands still.
func NewClock() *Clock { return &Clock{now: time.Unix(1e9, 0)} }

// Time is what a store reads.
func (c *Clock) Time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance puts the clock forward.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
