package measure

import (
	"runtime"
	"runtime/debug"
)

// Quiet makes the process fit for Compare: one processor, and no collection but those
// between rounds, short of a memory of 3 GiB. restore undoes it.
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

// HeapInUse is the memory of what is reachable, after a collection.
func HeapInUse() uint64 {
	runtime.GC()
	runtime.GC() // finalizers and pools give up in two steps
	return memStats().HeapAlloc
}

func memStats() (m runtime.MemStats) {
	runtime.ReadMemStats(&m)
	return m
}
