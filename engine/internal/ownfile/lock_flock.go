//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package ownfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// openFlags keep an open from following a link, and from waiting for the other end of a pipe.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// lockWithin takes the lock that a file stands for. The file stays: to remove it would part
// those who wait for it from those who come later. The lock goes with the process.
func lockWithin(ctx context.Context, file string, wait, every time.Duration) (unlock func() error, err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR|openFlags, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the lock file %s can't be opened: %w", file, cause(err))
	}
	for end := time.Now().Add(wait); ; {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return f.Close, nil
		case !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR):
			return nil, errors.Join(fmt.Errorf("the lock file %s can't be locked: %w", file, err), f.Close())
		case time.Now().After(end) || !pause(ctx, every):
			return nil, errors.Join(fmt.Errorf("another luahook has held the lock file %s for %s; end it and try again", file, wait), f.Close())
		}
	}
}
