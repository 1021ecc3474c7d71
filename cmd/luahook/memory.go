package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// postponeCollection has the first collection of garbage wait until the heap has 8 MiB
// instead of 4: a process that judges one event ends before that, and a collection
// costs more than the event. From then on everything is as usual. Where GOGC is set,
// that holds.
func postponeCollection() {
	runtime.MemProfileRate = 0 // nobody reads the profile
	if os.Getenv("GOGC") != "" {
		return
	}
	type watch struct{ _ *int } // not among the small objects without pointers, which die together
	usual := debug.SetGCPercent(200)
	runtime.AddCleanup(new(watch), func(percent int) { debug.SetGCPercent(percent) }, usual)
}
