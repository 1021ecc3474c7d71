package file

import "time"

// SetClock gives a store another clock.
func (s *Store) SetClock(now func() time.Time) { s.now = now }

// SetMaxWait makes a store less patient.
func (s *Store) SetMaxWait(d time.Duration) { s.maxWait = d }
