package store

import "time"

// SetClock gives a store in memory another clock.
func (m *Memory) SetClock(now func() time.Time) { m.now = now }
