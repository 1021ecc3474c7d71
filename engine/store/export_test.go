package store

import "time"

// SetClock sets the clock of a store in memory.
func (m *Memory) SetClock(now func() time.Time) { m.now = now }
