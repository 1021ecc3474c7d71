package engine

import (
	"fmt"
	"sync"
)

// onceMemory remembers which hooks that run once per session have run. It holds the
// latest onceMax pairs; an older session that comes back starts anew.
type onceMemory struct {
	mu   sync.Mutex
	ran  map[string]bool
	ring []string
	next int
}

const onceMax = 10_000

// first tells whether the hook has not run in the session yet, and notes that now it
// has.
func (o *onceMemory) first(session string, e *entry) bool {
	key := fmt.Sprintf("%s\x00%s\x00%s\x00%s\x00%s", session, e.scope, e.source, e.event, e.options.Name)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ran[key] {
		return false
	}
	if o.ran == nil {
		o.ran, o.ring = map[string]bool{}, make([]string, onceMax)
	}
	delete(o.ran, o.ring[o.next])
	o.ran[key], o.ring[o.next] = true, key
	o.next = (o.next + 1) % onceMax
	return true
}
