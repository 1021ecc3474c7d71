//go:build unix

package luabind

import (
	"syscall"
	"time"
)

// processTime is how long the process has had the processor so far.
func processTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
