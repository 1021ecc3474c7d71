package terminal

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		w := NewWaiting(&out)
		w.Begin("1", "hook quick")
		time.Sleep(patience / 2)
		w.End("1")
		w.Begin("2", "hook slow\x1b[2J")
		time.Sleep(patience / 2)
		synctest.Wait()
		if out.Len() > 0 {
			t.Errorf("it says something of what is quick: %q", out.String())
		}
		time.Sleep(3 * patience)
		w.End("2")
		w.End("2")
		time.Sleep(3 * patience)
		synctest.Wait()
		want := []string{"", "waiting for hook slow\uFFFD[2J, 1 s", "waiting for hook slow\uFFFD[2J, 2 s", "waiting for hook slow\uFFFD[2J, 3 s", ""}
		if got := strings.Split(out.String(), "\r\x1b[K"); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
