package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Waiting tells a person who watches a terminal what is being waited for, once that has taken a second, on one line that is
// gone when it is over. Several goroutines may use it.
type Waiting struct {
	out io.Writer

	mu    sync.Mutex
	under map[string]*wait // by id
	shown bool
}

// wait is one thing that is waited for.
type wait struct {
	what  string
	began time.Time
	timer *time.Timer
}

// patience is how long nothing is said, and how often the line is written anew.
const patience = time.Second

// NewWaiting makes one that writes to out, which must be a terminal.
func NewWaiting(out io.Writer) *Waiting { return &Waiting{out: out, under: map[string]*wait{}} }

// Begin says that something is waited for from now on, until End is called with the same id.
func (w *Waiting) Begin(id, what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := &wait{what: what, began: time.Now()}
	one.timer = time.AfterFunc(patience, func() { w.tell(id, one) })
	w.under[id] = one
}

func (w *Waiting) tell(id string, one *wait) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.under[id] != one { // it has ended meanwhile
		return
	}
	w.shown = true
	fmt.Fprintf(w.out, "\r\x1b[Kwaiting for %s, %d s", Shown(one.what), int(time.Since(one.began).Seconds()))
	one.timer.Reset(patience)
}

// End says that it is over. Nothing is written about it any more.
func (w *Waiting) End(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := w.under[id]
	if one == nil {
		return
	}
	one.timer.Stop()
	delete(w.under, id)
	if w.shown {
		w.shown = false
		fmt.Fprint(w.out, "\r\x1b[K")
	}
}
