package engine

import (
	"sync"
	"sync/atomic"
)

// lanes number the processors, about: goroutines that run at the same time mostly get
// different numbers, and one that asks again mostly gets the same. Nothing may depend on
// it but speed.
var lanes struct {
	numbers sync.Pool // of *int; it keeps a place for each processor
	last    atomic.Int64
}

// shares is how many parts something has that all processors write to; lane()%shares is
// the caller's. Each part begins with apart, which keeps it on cache lines of its own.
const shares = 16

type apart [64]byte

// aloneCounter is on a cache line of its own, so that writing to it doesn't hold up who
// reads what stands beside it.
type aloneCounter struct {
	_ apart
	atomic.Uint64
	_ apart
}

// lane is the number of the caller's processor, 0 or more.
func lane() int {
	n, ok := lanes.numbers.Get().(*int)
	if !ok {
		n = new(int)
		*n = int(lanes.last.Add(1) - 1)
	}
	number := *n
	lanes.numbers.Put(n)
	return number
}
