//go:build unix

package process

import (
	"os"
	"strings"
	"testing"
)

// TestFinishTakesWhatIsThere: text written before the program's end counts, even if it wasn't read yet and
// another process holds the pipe open.
func TestFinishTakesWhatIsThere(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	c := newCollector(r, 40000)
	if err := r.SetReadDeadline(atOnce); err != nil {
		t.Fatal(err)
	}
	c.run()
	if _, err := w.WriteString(strings.Repeat("a", 50000)); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	close(stop)
	c.finish(stop)
	if kept, cut := c.text(); string(kept) != strings.Repeat("a", 40000) || !cut || c.closed() {
		t.Errorf("%d bytes, cut %t, closed %t; want 40000, true, false", len(kept), cut, c.closed())
	}
}

// TestFinishIsBounded: a process that never stops writing doesn't hold finish up.
func TestFinishIsBounded(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(make([]byte, 4096)); err != nil {
		t.Fatal(err)
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		for {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	}()
	c := newCollector(r, 100)
	go c.run()
	stop := make(chan struct{})
	close(stop)
	c.finish(stop)
	<-written // by finish closing the other end
	_ = w.Close()
	if kept, cut := c.text(); len(kept) != 100 || !cut {
		t.Errorf("%d bytes, cut %t; want 100, true", len(kept), cut)
	}
}
