// Package measure times code on machines where other work runs at the same time: by processor time, in short
// slices, each next to a slice of a reference.
package measure

import (
	"syscall"
	"time"
)

// CPU returns the processor time, user and system, that this process has used so far.
func CPU() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err) // it can only fail for a bad argument
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// Allocations returns what one call of run allocates, as a mean over n calls after one that warms up. Fractions
// of an allocation have other causes and are cut off.
func Allocations(n int, run func() error) (allocs, bytes float64, err error) {
	if err := run(); err != nil {
		return 0, 0, err
	}
	before := memStats()
	for range n {
		if err := run(); err != nil {
			return 0, 0, err
		}
	}
	after := memStats()
	per := func(a, b uint64) float64 { return float64((b - a) / uint64(n)) }
	return per(before.Mallocs, after.Mallocs), per(before.TotalAlloc, after.TotalAlloc), nil
}
