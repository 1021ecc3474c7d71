package engine

import (
	"sync"
	"time"

	"github.com/luahook/luahook/engine/internal/pool"
)

// account is the time that the hooks of one event have used, and not what passed while
// none had its turn. Parallel hooks share it.
type account struct {
	mu    sync.Mutex
	scope [scopes]time.Duration          // by the scope's rank
	file  map[*pool.Script]time.Duration // by scripts whose hooks have taken long
}

// charge takes time from what the hooks of the event have together.
func (a *account) charge(e *entry, used time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.scope[e.scope.Rank()] += used
}

// chargeFile takes time from what the hooks of a script have together; nil has none.
func (a *account) chargeFile(s *pool.Script, used time.Duration) {
	if s == nil || used < 100*time.Microsecond { // which adds up to nothing
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.file == nil {
		a.file = map[*pool.Script]time.Duration{}
	}
	a.file[s] += used
}

// ofEvent is how much of the event's time is left for the hook. What lower scopes have used
// doesn't count: they could use it all up before a guard judges again.
func (a *account) ofEvent(e *entry) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	left := e.within
	for _, used := range a.scope[:e.scope.Rank()+1] {
		left -= used
	}
	return left
}

// ofFile is how much time the hooks of a script have for the rest of the event. They share
// what one of them may take, or a file could hold an event up for as long as it has hooks.
func (a *account) ofFile(s *pool.Script) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return s.Environment.Limits.Timeout - a.file[s]
}
