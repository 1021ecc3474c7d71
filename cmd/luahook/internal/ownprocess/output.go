// Package ownprocess is what the command does about its own process: outputs that nobody reads, signals that end it,
// and how often garbage is collected.
package ownprocess

import (
	"errors"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// writeTime is how long whoever reads the result or standard error of one event may keep
// it waiting. A pipe that nobody reads must not keep a verdict back.
const writeTime = 5 * time.Second

// triedTime is writeTime once the reader of the other of the two has been waited for in
// vain: it is the same program.
const triedTime = 50 * time.Millisecond

// ErrUnread is the error of an output that was waited for in vain.
var ErrUnread = errors.New("nobody reads it")

// boundedWriter is a writer that waits no longer than writeTime, and not at all after that
// was in vain. Several goroutines may use it.
type boundedWriter struct {
	out   io.Writer
	tried *atomic.Bool // somebody has waited in vain; shared by both outputs

	mu  sync.Mutex
	err error // that ended it
}

// Bounded makes of the outputs of one event writers that wait no longer than 5 s, and not at all after that was in
// vain. Several goroutines may use them.
func Bounded(stdout, stderr io.Writer) (out, err io.Writer) {
	tried := &atomic.Bool{}
	return &boundedWriter{out: stdout, tried: tried}, &boundedWriter{out: stderr, tried: tried}
}

func (w *boundedWriter) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return 0, w.err
	}
	type outcome struct {
		n   int
		err error
	}
	written := make(chan outcome, 1)
	own := slices.Clone(text) // the caller's is its own again when time is over
	go func() {
		n, err := w.out.Write(own)
		written <- outcome{n, err}
	}()
	wait := writeTime
	if w.tried.Load() {
		wait = triedTime
	}
	late := time.NewTimer(wait)
	defer late.Stop()
	select {
	case o := <-written:
		return o.n, o.err
	case <-late.C: // what is being written goes with the process
		w.err = ErrUnread
		w.tried.Store(true)
		return 0, w.err
	}
}
