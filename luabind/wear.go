package luabind

import "runtime/metrics"

// wear tells when a state has had its time. What a script keeps in its locals stays
// from run to run, and no limit of a run sees how it adds up; so a state that may
// have gathered much is not used again. Making another costs about as much as a few
// thousand instructions, so it can be wrong about that often enough.
type wear struct {
	built int64 // bytes charged since the state was made
	large int64 // of large values that loading left
	ran   int64 // instructions since the last look at the heap
	born  int64 // the smallest live heap since the state was made
	tidy  bool  // what the script builds it doesn't keep
	live  [1]metrics.Sample
}

const (
	wornBuilt = 4 << 20  // bytes that a state may build; of large values that it gets hold of, until the heap is looked at
	wornHeap  = 16 << 20 // bytes by which the live heap may grow while a state lives
	wearEvery = 10_000   // instructions between two looks at the heap
)

// start looks at the heap when the state has been made.
func (w *wear) start(b *Budget) { w.born, w.large = w.heap(), b.large }

// add counts a run and tells whether the state is worn out.
func (w *wear) add(b *Budget) bool {
	w.built += b.bytes
	w.ran += b.used
	if !w.tidy && w.built > wornBuilt {
		return true
	}
	if w.ran < wearEvery && b.large-w.large <= wornBuilt {
		return false
	}
	w.ran = 0
	now := w.heap()
	w.born = min(w.born, now)
	grown := now - w.born
	b.large = min(b.large, w.large+grown) // what has come with events and gone with them
	return grown > wornHeap
}

// heap is what was live in the process when garbage was last collected.
func (w *wear) heap() int64 {
	w.live[0].Name = "/gc/heap/live:bytes"
	metrics.Read(w.live[:])
	return int64(w.live[0].Value.Uint64())
}
