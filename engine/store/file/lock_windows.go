package file

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock locks an open file, or reports that others hold it. Several may read it at once. Closing the file
// releases the lock. The lock is on a byte beyond the file's end, because locked bytes can't be read.
func lock(f *os.File, writes bool) (busy bool, err error) {
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if writes {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err = windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return true, nil
	}
	return false, err
}
