// Package storetest has the tests that every store must pass: a driver calls [Run].
package storetest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/store"
)

// Open opens an empty store for a test, which closes it. advance advances the clock of the store; nil says that
// the store keeps real time.
type Open func(t *testing.T) (s store.Store, advance func(time.Duration))

// Run tests a driver against the contract of [store.Store].
func Run(t *testing.T, open Open) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, k kit)
	}{
		{"Values", testValues},
		{"AnyBytes", testAnyBytes},
		{"SpacesAreApart", testSpaces},
		{"Copies", testCopies},
		{"BadCalls", testBadCalls},
		{"Incr", testIncr},
		{"IncrNoNumber", testIncrNoNumber},
		{"Update", testUpdate},
		{"UpdateError", testUpdateError},
		{"Contention", testContention},
		{"List", testList},
		{"TimeToLive", testTTL},
		{"Keep", testKeep},
		{"QuotaOfKeys", testQuotaKeys},
		{"QuotaOfBytes", testQuotaBytes},
		{"QuotaWithoutWhatIsOver", testQuotaExpired},
		{"QuotaOfSeveral", testQuotaWithin},
		{"QuotaOfSeveralWithoutWhatIsOver", testQuotaWithinExpired},
		{"QuotaOfSeveralAtOnce", testQuotaContention},
		{"QuotaOfOthers", testQuotaMoves},
		{"ContextDone", testContextDone},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, advance := open(t)
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			})
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			t.Cleanup(cancel)
			c.run(t, kit{t, ctx, s, advance})
		})
	}
}

// kit is a store with the tests' helpers.
type kit struct {
	t       *testing.T
	ctx     context.Context
	store   store.Store
	advance func(time.Duration)
}

// home is a space without a quota.
var home = store.Space{Name: "home"}

// short returns a time to live that a test can wait for.
func (k kit) short() time.Duration {
	if k.advance == nil {
		return 50 * time.Millisecond
	}
	return time.Minute
}

// pass waits for what short returns: a key that was set just now with that time to live has expired, and so have
// those that were set earlier with the same.
func (k kit) pass() {
	k.t.Helper()
	if k.advance != nil {
		k.advance(k.short())
		return
	}
	sentinel := store.Space{Name: "sentinel"}
	k.set(sentinel, "sentinel", "", k.short())
	for k.get(sentinel, "sentinel") != nil {
	}
}

func (k kit) get(s store.Space, key string) []byte {
	k.t.Helper()
	value, err := k.store.Get(k.ctx, s, key)
	if err != nil {
		k.t.Fatalf("Get(%q, %q): %v", s.Name, key, err)
	}
	return value
}

// wants checks the value of a key.
func (k kit) wants(s store.Space, key, want string) {
	k.t.Helper()
	if got := k.get(s, key); got == nil || string(got) != want {
		k.t.Errorf("Get(%q, %q) = %s, want %q", s.Name, key, show(got), want)
	}
}

func (k kit) wantsNone(s store.Space, key string) {
	k.t.Helper()
	if got := k.get(s, key); got != nil {
		k.t.Errorf("Get(%q, %q) = %s, want nothing", s.Name, key, show(got))
	}
}

func (k kit) set(s store.Space, key, value string, ttl time.Duration) {
	k.t.Helper()
	if err := k.store.Set(k.ctx, s, key, []byte(value), ttl); err != nil {
		k.t.Fatalf("Set(%q, %q): %v", s.Name, key, err)
	}
}

func (k kit) delete(s store.Space, key string) {
	k.t.Helper()
	if err := k.store.Delete(k.ctx, s, key); err != nil {
		k.t.Fatalf("Delete(%q, %q): %v", s.Name, key, err)
	}
}

func (k kit) incr(s store.Space, key string, by, want float64) {
	k.t.Helper()
	k.incrFor(s, key, by, want, store.Keep)
}

// incrFor adds to a number, and sets the time to live of the sum.
func (k kit) incrFor(s store.Space, key string, by, want float64, ttl time.Duration) {
	k.t.Helper()
	if got, err := k.store.Incr(k.ctx, s, key, by, ttl); err != nil || got != want {
		k.t.Errorf("Incr(%q, %q, %v) = %v, %v, want %v", s.Name, key, by, got, err, want)
	}
}

// update sets a key to a value, deletes it for nil, and returns its old value.
func (k kit) update(s store.Space, key string, ttl time.Duration, value []byte) (old []byte) {
	k.t.Helper()
	err := k.store.Update(k.ctx, s, key, ttl, func(o []byte) ([]byte, error) {
		old = bytes.Clone(o)
		return value, nil
	})
	if err != nil {
		k.t.Fatalf("Update(%q, %q): %v", s.Name, key, err)
	}
	return old
}

func (k kit) lists(s store.Space, prefix string, want ...string) {
	k.t.Helper()
	got, err := k.store.List(k.ctx, s, prefix)
	if err != nil || !slices.Equal(got, want) {
		k.t.Errorf("List(%q, %q) = %q, %v, want %q", s.Name, prefix, got, err, want)
	}
}

// show distinguishes no value from an empty one.
func show(value []byte) string {
	if value == nil {
		return "nothing"
	}
	return fmt.Sprintf("%q", value)
}
