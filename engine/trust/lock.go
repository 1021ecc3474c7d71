package trust

import "time"

// A process holds the lock for as long as it takes to read and write one file; lockWait
// is what another is given for that, and lockPause how often it is asked.
const (
	lockWait  = 10 * time.Second
	lockPause = 5 * time.Millisecond
)
