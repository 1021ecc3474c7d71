package measure

import (
	"runtime"
	"runtime/debug"
)

// Quiet prepares the process for Compare: one processor, and no garbage collection except between rounds, below
// 3 GiB of memory. restore undoes it.
func Quiet() (restore func()) {
	procs := runtime.GOMAXPROCS(1)
	percent := debug.SetGCPercent(-1)
	limit := debug.SetMemoryLimit(3 << 30)
	return func() {
		runtime.GOMAXPROCS(procs)
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// HeapInUse returns the size of reachable memory, after a collection.
func HeapInUse() uint64 {
	runtime.GC()
	runtime.GC() // finalizers and pools are freed in two steps
	return memStats().HeapAlloc
}

func memStats() (m runtime.MemStats) {
	runtime.ReadMemStats(&m)
	return m
}
