package override

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// What is not written at once is written when its time comes, also by a store that
// nobody closes.
func TestWritesLater(t *testing.T) {
	dir, root := t.TempDir(), t.TempDir()
	s := NewStore(dir, root)
	for i := range 3 {
		c := hooks.BlockedCall{Event: hooks.PreToolCall, Firing: strconv.Itoa(i), Identity: strings.Repeat("0", 64), Tool: "bash"}
		if _, err := s.Overridden(context.Background(), c); err != nil {
			t.Fatal(err)
		}
	}
	s.mu.Lock()
	due := s.due
	s.mu.Unlock()
	if due != nil && due.Stop() {
		s.writeLater()
	}
	if list, err := NewStore(dir, root).Blocked(); err != nil || len(list) != 3 {
		t.Errorf("%d are written, want 3; %v", len(list), err)
	}
}

// While one call is written, which may take long, the next ones are kept for later.
func TestKeepsForLaterWhileItWrites(t *testing.T) {
	s := NewStore(t.TempDir(), t.TempDir())
	s.busy = true // and nothing was written lately
	c := hooks.BlockedCall{Event: hooks.PreToolCall, Firing: "1", Identity: strings.Repeat("0", 64), Tool: "bash"}
	if s.note(c, s.now()) {
		t.Error("it is to be written now")
	}
	if list, err := s.Blocked(); err != nil || len(list) != 1 {
		t.Errorf("%d are kept, want 1; %v", len(list), err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
