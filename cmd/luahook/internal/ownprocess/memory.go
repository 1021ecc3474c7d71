package ownprocess

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// collection says whether how often garbage is collected is for the rest of the process.
var collection struct {
	mu      sync.Mutex
	settled bool
}

// PostponeCollection has the first collection of garbage wait until the heap has 8 MiB
// instead of 4: a process that judges one event ends before that, and a collection
// costs more than the event. From then on everything is as usual. Where GOGC is set,
// that holds.
func PostponeCollection() {
	runtime.MemProfileRate = 0 // nobody reads the profile
	if os.Getenv("GOGC") != "" {
		return
	}
	type watch struct{ _ *int } // not among the small objects without pointers, which die together
	usual := debug.SetGCPercent(200)
	runtime.AddCleanup(new(watch), func(percent int) {
		collection.mu.Lock()
		defer collection.mu.Unlock()
		if !collection.settled {
			debug.SetGCPercent(percent)
		}
	}, usual)
}

// CollectSeldom has garbage collected when there is four times as much of it as of what is
// in use, or 16 MiB: a server that answers many events leaves little behind and makes much
// garbage, and spends a fifth of its time on collecting it as usual. Where GOGC is set, that
// holds.
func CollectSeldom() {
	if os.Getenv("GOGC") != "" {
		return
	}
	collection.mu.Lock()
	defer collection.mu.Unlock()
	collection.settled = true
	debug.SetGCPercent(400)
}
