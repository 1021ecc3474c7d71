package engine

import (
	"slices"
	"sync/atomic"

	"github.com/luahook/luahook/hooks"
)

// Counters are what an engine has counted since it was made.
type Counters struct {
	Fires        uint64 // events fired, those that no hook is registered for included
	Allows       uint64 // of them: allowed
	Asks         uint64
	Denies       uint64                     // events that can't be judged included
	AsyncDropped uint64                     // runs of async hooks that didn't fit or were cut off by Close
	Failures     map[hooks.ErrorKind]uint64 // failed runs by the kind of their error; a kind that has none is left out
}

// Counters reads the counters. The figures are of about the same moment; the map is
// the caller's own.
func (e *Engine) Counters() Counters {
	read := Counters{Failures: map[hooks.ErrorKind]uint64{}}
	if !e.made() {
		return read
	}
	c := &e.counters
	read.Fires, read.AsyncDropped = c.fires.Load(), c.dropped.Load()
	read.Allows, read.Asks, read.Denies = c.allows.Load(), c.asks.Load(), c.denies.Load()
	for i, kind := range failureKinds {
		if n := c.failures[i].Load(); n > 0 {
			read.Failures[kind] = n
		}
	}
	return read
}

// failureKinds are what failures are counted by. The first one stands for kinds that a
// Go hook has made up.
var failureKinds = [...]hooks.ErrorKind{hooks.KindHost, hooks.KindLoad, hooks.KindScript, hooks.KindLimit, hooks.KindResult, hooks.KindCommand, hooks.KindTrust}

// counters may be counted up from several goroutines at once.
type counters struct {
	fires, allows, asks, denies, dropped atomic.Uint64
	failures                             [len(failureKinds)]atomic.Uint64
}

// fire counts an event and what was decided.
func (c *counters) fire(d hooks.Decision) {
	c.fires.Add(1)
	switch d {
	case hooks.Allow:
		c.allows.Add(1)
	case hooks.Ask:
		c.asks.Add(1)
	case hooks.Deny:
		c.denies.Add(1)
	}
}

// fail counts a failed run.
func (c *counters) fail(kind hooks.ErrorKind) {
	at := max(slices.Index(failureKinds[:], kind), 0)
	c.failures[at].Add(1)
}
