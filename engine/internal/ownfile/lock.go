package ownfile

import (
	"context"
	"time"
)

// quickPause is how often a lock is asked for that others hold for a few microseconds.
const quickPause = 500 * time.Microsecond

// Lock takes the lock that a file stands for, which is made where it isn't there. It asks
// at least once, and goes on for as long as wait and ctx last. The lock goes with the
// process; see lock for what that means where a process was killed.
func Lock(ctx context.Context, file string, wait time.Duration) (unlock func() error, err error) {
	return lockWithin(ctx, file, wait, quickPause)
}

func lock(file string, wait time.Duration) (unlock func() error, err error) {
	return lockWithin(context.Background(), file, wait, lockPause)
}

// pause waits between two attempts, for a time that differs from one process to the
// next. It is false where ctx ended.
func pause(ctx context.Context, about time.Duration) bool {
	timer := time.NewTimer(about/2 + time.Duration(time.Now().UnixNano())%about)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
