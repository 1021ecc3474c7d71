package terminal

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// output keeps what several goroutines write.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(text)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &output{}
		w := NewWaiting(out)
		w.Begin("1", "hook quick")
		time.Sleep(patience / 2)
		w.End("1")
		w.Begin("2", "hook slow\x1b[2J")
		time.Sleep(patience / 2)
		if out.String() != "" {
			t.Errorf("it says something of what is quick: %q", out.String())
		}
		time.Sleep(3 * patience)
		w.End("2")
		w.End("2")
		time.Sleep(3 * patience)
		want := []string{"", "waiting for hook slow\uFFFD[2J, 1 s", "waiting for hook slow\uFFFD[2J, 2 s", "waiting for hook slow\uFFFD[2J, 3 s", ""}
		if got := strings.Split(out.String(), "\r\x1b[K"); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// What ends at the moment that it would be told of isn't told of.
func TestWaitingThatHasEnded(t *testing.T) {
	out := &output{}
	w := NewWaiting(out)
	w.Begin("1", "hook slow")
	ended := w.under["1"]
	w.End("1")
	w.tell("1", ended)
	if out.String() != "" {
		t.Errorf("%q", out.String())
	}
}
