package engine

import (
	"fmt"
	"sync"
)

// onceMemory remembers which hooks that run once per session have run. It holds the
// latest onceMax pairs; an older session that comes back starts anew.
type onceMemory struct {
	mu   sync.Mutex
	ran  map[string]int // place in the ring
	ring []string
	next int
}

const onceMax = 10_000

// first tells whether the hook has not run in the session yet, and notes that now it
// has.
func (o *onceMemory) first(session string, e *entry) bool {
	key := onceKey(session, e)
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, ok := o.ran[key]; ok {
		return false
	}
	if o.ran == nil {
		o.ran, o.ring = map[string]int{}, make([]string, onceMax)
	}
	delete(o.ran, o.ring[o.next])
	o.ran[key], o.ring[o.next] = o.next, key
	o.next = (o.next + 1) % onceMax
	return true
}

// forget lets the hook run again in the session: its run has failed.
func (o *onceMemory) forget(session string, e *entry) {
	key := onceKey(session, e)
	o.mu.Lock()
	defer o.mu.Unlock()
	if at, ok := o.ran[key]; ok {
		delete(o.ran, key)
		o.ring[at] = ""
	}
}

func onceKey(session string, e *entry) string {
	return fmt.Sprintf("%s\x00%s\x00%s\x00%s\x00%s", session, e.scope, e.source, e.event, e.options.Name)
}
