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
