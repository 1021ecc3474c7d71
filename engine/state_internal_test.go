package engine

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// keep stores a value and gives the one before.
func keep(m *memoryState, key, value string) (old string) {
	_ = m.Update(context.Background(), key, time.Hour, func(b []byte) []byte { // which never fails
		old = string(b)
		return []byte(value)
	})
	return old
}

// Of more keys than there is room for, those that rested longest are forgotten.
func TestMemoryStateIsBounded(t *testing.T) {
	m := newMemoryState(3)
	for n := range 3 {
		keep(m, fmt.Sprint(n), "x")
	}
	keep(m, "0", "y") // which is used again
	keep(m, "3", "x")
	if len(m.keys) != 3 || m.used.Len() != 3 {
		t.Errorf("it holds %d and %d", len(m.keys), m.used.Len())
	}
	if keep(m, "0", "z") != "y" || keep(m, "1", "z") != "" {
		t.Error("it forgot the wrong one")
	}
}

func TestMemoryStateForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryState(3)
		nothing := func(want string) {
			t.Helper()
			m.Update(context.Background(), "a", time.Hour, func(old []byte) []byte {
				if string(old) != want {
					t.Errorf("it is %q, want %q", old, want)
				}
				return nil
			})
		}
		nothing("")
		if keep(m, "a", "1"); len(m.keys) != 1 {
			t.Error("not kept")
		}
		nothing("1")
		nothing("")
		keep(m, "a", "1")
		time.Sleep(time.Hour - 1)
		keep(m, "b", "1")
		if keep(m, "a", "2") != "1" {
			t.Error("gone too soon")
		}
		time.Sleep(time.Hour)
		nothing("") // expired
	})
}
