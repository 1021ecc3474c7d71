//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package file

import (
	"errors"
	"os"
	"syscall"
)

// lock locks an open file, or reports that others hold it. Several may read it at once. Closing the file
// releases the lock.
func lock(f *os.File, writes bool) (busy bool, err error) {
	how := syscall.LOCK_SH
	if writes {
		how = syscall.LOCK_EX
	}
	err = syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return true, nil
	}
	return false, err
}
