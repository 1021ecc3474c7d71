//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package ownfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"
)

const openFlags = syscall.O_NONBLOCK

// lockWithin takes the lock that a file stands for by making it. A process that was killed
// leaves it behind; the error says what to do then.
func lockWithin(ctx context.Context, file string, wait, every time.Duration) (unlock func() error, err error) {
	for end := time.Now().Add(wait); ; {
		f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
		switch {
		case err == nil:
			return func() error { return errors.Join(f.Close(), os.Remove(file)) }, nil
		case !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrPermission): // Windows says the latter of one that is being removed
			return nil, fmt.Errorf("the lock file %s can't be made: %w", file, cause(err))
		case time.Now().After(end) || !pause(ctx, every):
			return nil, fmt.Errorf("the lock file %s has been there for %s; remove it if no luahook is at work", file, wait)
		}
	}
}
