package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/store"
)

func testTTL(t *testing.T, k kit) {
	k.set(home, "stays", "", store.Forever)
	k.set(home, "long", "", 24*time.Hour)
	k.set(home, "short", "", k.short())
	k.set(home, "again", "", k.short())
	k.set(home, "again", "", 24*time.Hour) // a later Set counts
	k.set(home, "for ever", "", k.short())
	k.set(home, "for ever", "", store.Forever)
	k.set(home, "sooner", "", 24*time.Hour)
	k.set(home, "sooner", "", k.short())
	k.update(home, "updated", k.short(), []byte("7"))
	k.incrFor(home, "counted", 7, 7, k.short())
	k.set(home, "counted on", "6", k.short())
	k.incrFor(home, "counted on", 1, 7, 24*time.Hour)
	k.set(home, "counted for ever", "6", k.short())
	k.incrFor(home, "counted for ever", 1, 7, store.Forever)
	if k.advance != nil {
		k.advance(k.short() - time.Millisecond)
		k.lists(home, "", "again", "counted", "counted for ever", "counted on", "for ever", "long", "short", "sooner", "stays", "updated")
		k.advance(time.Millisecond)
	} else {
		k.pass()
	}
	for _, key := range []string{"short", "sooner", "updated", "counted"} {
		k.wantsNone(home, key)
	}
	k.lists(home, "", "again", "counted for ever", "counted on", "for ever", "long", "stays")
	k.incr(home, "updated", 1, 1) // nothing is left of it
	if old := k.update(home, "short", store.Keep, []byte("new")); old != nil {
		t.Errorf("an expired value is still there: %s", show(old))
	}
	k.pass()
	k.wants(home, "short", "new") // nor of the time to live
	k.wants(home, "updated", "1")
}

func testKeep(t *testing.T, k kit) {
	if k.advance != nil { // it may have expired before the changes in real time
		k.set(home, "set", "1", k.short())
		k.set(home, "incr", "1", k.short())
		k.set(home, "update", "1", k.short())
		k.advance(k.short() / 2)
		k.set(home, "set", "2", store.Keep)
		k.incr(home, "incr", 1, 2)
		k.update(home, "update", store.Keep, []byte("2"))
		k.lists(home, "", "incr", "set", "update")
		k.advance(k.short() / 2)
		k.lists(home, "")
	}
	// A new key has the time to live of its space, whichever call makes it.
	lasting := store.Space{Name: "lasting", TTL: k.short()}
	k.set(lasting, "set", "1", store.Keep)
	k.incr(lasting, "incr", 1, 1)
	k.update(lasting, "update", store.Keep, []byte("1"))
	k.set(lasting, "own", "1", store.Forever)
	k.pass()
	k.lists(lasting, "", "own")
	for _, key := range []string{"set", "incr", "update"} {
		k.set(home, key, "1", store.Forever)
	}
	k.set(home, "set", "2", store.Keep)
	k.incr(home, "incr", 1, 2)
	k.update(home, "update", store.Keep, []byte("2"))
	k.set(home, "new", "2", store.Keep)
	k.pass()
	for _, key := range []string{"set", "incr", "update", "new"} {
		k.wants(home, key, "2")
	}
	// A time to live that is renewed although the value stays.
	k.set(home, "lock", "me", store.Forever)
	k.update(home, "lock", k.short(), []byte("me"))
	k.pass()
	k.wantsNone(home, "lock")
}

// refused checks that a quota refuses a call.
func (k kit) refused(what string, err error) {
	k.t.Helper()
	var quota *store.QuotaError
	if !errors.As(err, &quota) {
		k.t.Errorf("%s: %v, want that the space is full", what, err)
	}
}

func testQuotaKeys(_ *testing.T, k kit) {
	small := store.Space{Name: "small", MaxKeys: 2}
	k.set(small, "a", "1", store.Forever)
	k.incr(small, "b", 1, 1)
	k.refused("Set", k.store.Set(k.ctx, small, "c", nil, store.Forever))
	_, err := k.store.Incr(k.ctx, small, "c", 1, store.Keep)
	k.refused("Incr", err)
	k.refused("Update", k.store.Update(k.ctx, small, "c", store.Forever, func([]byte) ([]byte, error) { return []byte{}, nil }))
	k.lists(small, "", "a", "b")
	k.set(small, "a", "larger than it was", store.Forever)
	k.incr(small, "b", 1000, 1001)
	k.update(small, "c", store.Forever, nil)
	k.delete(small, "c")
	k.delete(small, "a")
	k.set(small, "c", "", store.Forever)
	k.update(small, "c", store.Forever, nil)
	k.set(small, "d", "", store.Forever)
	k.lists(small, "", "b", "d")
	k.set(store.Space{Name: "other", MaxKeys: 2}, "a", "", store.Forever)

	// A quota that has become smaller: existing values stay, and can be changed and deleted.
	smaller := store.Space{Name: "small", MaxKeys: 1}
	k.incr(smaller, "b", 1000, 2001)
	k.refused("Set", k.store.Set(k.ctx, smaller, "e", nil, store.Forever))
	k.delete(smaller, "d")
	k.refused("Set", k.store.Set(k.ctx, smaller, "e", nil, store.Forever))
	k.delete(smaller, "b")
	k.set(smaller, "e", "", store.Forever)
}

func testQuotaBytes(_ *testing.T, k kit) {
	small := store.Space{Name: "small", MaxBytes: 10}
	k.set(small, "abc", "1234567", store.Forever)
	k.refused("Set of one byte more", k.store.Set(k.ctx, small, "abc", []byte("12345678"), store.Forever))
	k.refused("Set of another", k.store.Set(k.ctx, small, "b", nil, store.Forever))
	k.wants(small, "abc", "1234567")
	k.set(small, "abc", "7654321", store.Forever)
	k.set(small, "abc", "1", store.Forever)
	k.set(small, "b", "9999", store.Forever)
	k.incr(small, "b", 1, 10000)
	_, err := k.store.Incr(k.ctx, small, "b", 90000, store.Keep)
	k.refused("Incr that makes a digit more", err)
	k.incr(small, "b", 89999, 99999)
	k.refused("Update", k.store.Update(k.ctx, small, "b", store.Forever, func(old []byte) ([]byte, error) { return append(old, "00"...), nil }))
	k.update(small, "b", store.Forever, nil)
	k.set(small, "c", "12345", store.Forever)
	smaller := store.Space{Name: "small", MaxBytes: 3}
	k.set(smaller, "c", "1234", store.Forever) // less than before
	k.set(smaller, "c", "5678", store.Forever)
	k.refused("Set", k.store.Set(k.ctx, smaller, "c", []byte("56789"), store.Forever))
	k.delete(smaller, "abc")
	k.delete(smaller, "c")
	k.set(smaller, "c", "12", store.Forever)
}

// Expired values leave space, whether or not anybody has read them.
func testQuotaExpired(_ *testing.T, k kit) {
	small := store.Space{Name: "small", MaxKeys: 100, MaxBytes: 1000}
	for range 2 {
		for i := range 100 {
			key := string([]byte{'k', byte('0' + i/10), byte('0' + i%10)})
			k.set(small, key, "1234567", k.short())
		}
		if k.advance != nil { // it may have expired by now in real time
			k.refused("Set", k.store.Set(k.ctx, small, "x", nil, store.Forever))
		}
		k.pass()
		k.lists(small, "")
	}
	for i := range 99 {
		key := string([]byte{'n', byte('0' + i/10), byte('0' + i%10)})
		k.set(small, key, "1234567", store.Forever)
	}
	k.set(small, "x", "123456789", store.Forever)
	k.refused("Set of too many", k.store.Set(k.ctx, small, "y", nil, store.Forever))
	k.refused("Set of too much", k.store.Set(k.ctx, small, "x", []byte("1234567890"), store.Forever))
}

// within returns a space that counts towards quotas.
func within(name string, quotas ...store.Quota) store.Space {
	return store.Space{Name: name, Within: quotas}
}

// Several spaces together hold no more than their quota allows, whatever the call.
func testQuotaWithin(t *testing.T, k kit) {
	keys := store.Quota{Name: "keys", MaxKeys: 4, Whose: "in all of these"}
	bytes := store.Quota{Name: "bytes", MaxBytes: 100}
	a, b, c := within("a", keys), within("b", keys, bytes), within("c", bytes)
	k.set(a, "1", "", store.Forever)
	k.incr(a, "2", 1, 1)
	k.set(b, "1", "", store.Forever)
	k.update(b, "2", store.Forever, []byte("x"))
	k.refused("Set", k.store.Set(k.ctx, a, "3", nil, store.Forever))
	k.refused("Set of another", k.store.Set(k.ctx, b, "3", nil, store.Forever))
	_, err := k.store.Incr(k.ctx, b, "3", 1, store.Keep)
	k.refused("Incr", err)
	if err == nil || !strings.Contains(err.Error(), "4 keys in all of these") {
		t.Errorf("the error doesn't say whose quota that is: %v", err)
	}
	k.refused("Update", k.store.Update(k.ctx, a, "3", store.Forever, func([]byte) ([]byte, error) { return []byte{}, nil }))
	k.refused("Set in a new space", k.store.Set(k.ctx, within("d", keys), "1", nil, store.Forever))
	k.lists(a, "", "1", "2")
	k.set(a, "1", "larger than it was", store.Forever)
	k.incr(a, "2", 1, 2)
	k.set(b, "2", "", store.Forever)
	k.delete(a, "2")
	k.set(b, "3", "", store.Forever)
	k.refused("Set", k.store.Set(k.ctx, a, "2", nil, store.Forever))
	k.update(b, "3", store.Forever, nil)
	k.set(a, "2", "", store.Forever)

	k.set(c, "3", strings.Repeat("x", 90), store.Forever) // with "1" and "2" 93
	k.set(c, "3", strings.Repeat("x", 97), store.Forever)
	k.refused("Set of one byte more", k.store.Set(k.ctx, c, "3", []byte(strings.Repeat("x", 98)), store.Forever))
	k.refused("Set of a byte in another", k.store.Set(k.ctx, b, "1", []byte("x"), store.Forever))
	k.set(c, "3", strings.Repeat("x", 96), store.Forever)
	k.set(b, "1", "x", store.Forever)
	k.refused("Incr", k.incrErr(b, "1x"))
	k.delete(c, "3")
	k.set(b, "1", strings.Repeat("x", 98), store.Forever)
	smaller := keys
	smaller.MaxKeys = 1
	k.set(within("a", smaller), "1", "", store.Forever) // existing values stay, and may get smaller
	k.refused("Set", k.store.Set(k.ctx, within("a", smaller), "1", []byte("x"), store.Forever))
	for _, s := range []store.Space{a, b} {
		k.delete(s, "1")
		k.delete(s, "2")
	}
	for _, key := range []string{"1", "2", "3", "4"} {
		k.set(within("e", keys), key, "", store.Forever)
	}
	k.refused("Set", k.store.Set(k.ctx, within("e", keys), "5", nil, store.Forever))
}

func (k kit) incrErr(s store.Space, key string) error {
	_, err := k.store.Incr(k.ctx, s, key, 1e15, store.Keep)
	return err
}

// Values that expire in one space leave space for the others.
func testQuotaWithinExpired(_ *testing.T, k kit) {
	all := store.Quota{Name: "all", MaxKeys: 60, MaxBytes: 600}
	for range 2 {
		for i := range 60 {
			k.set(within(fmt.Sprint("session ", i%6), all), fmt.Sprintf("k%d", 10+i), "1234567", k.short())
		}
		if k.advance != nil { // they may have expired by now in real time
			k.refused("Set", k.store.Set(k.ctx, within("other", all), "x", nil, store.Forever))
		}
		k.pass()
	}
	for i := range 59 {
		k.set(within("other", all), fmt.Sprintf("n%d", 10+i), "1234567", store.Forever)
	}
	k.set(within("session 1", all), "x", "123456789", store.Forever)
	k.refused("Set of too many", k.store.Set(k.ctx, within("session 2", all), "y", nil, store.Forever))
	k.refused("Set of too much", k.store.Set(k.ctx, within("session 1", all), "x", []byte("1234567890"), store.Forever))
}

// A quota is exact, however many write at once.
func testQuotaContention(t *testing.T, k kit) {
	all := store.Quota{Name: "all", MaxKeys: 50}
	var done atomic.Int64
	var workers sync.WaitGroup
	for w := range 8 {
		workers.Go(func() {
			for i := range 12 {
				var quota *store.QuotaError
				switch err := k.store.Set(k.ctx, within(fmt.Sprint("space ", w%5), all), fmt.Sprint(w, i), nil, store.Forever); {
				case err == nil:
					done.Add(1)
				case !errors.As(err, &quota):
					t.Errorf("Set: %v", err)
				}
			}
		})
	}
	workers.Wait()
	if n := done.Load(); n != 50 {
		t.Errorf("%d keys have been set, want 50", n)
	}
}

// A space that changes its quotas takes its content along.
func testQuotaMoves(_ *testing.T, k kit) {
	old, later, none := store.Quota{Name: "old", MaxKeys: 3}, store.Quota{Name: "later", MaxKeys: 3}, store.Quota{Name: "none"}
	k.set(within("a", none), "1", "", store.Forever) // counts for none of them
	k.set(within("a", old), "2", "", store.Forever)
	k.set(within("b", old), "1", "", store.Forever)
	k.refused("Set", k.store.Set(k.ctx, within("b", old), "2", nil, store.Forever))
	k.set(within("a", later), "1", "x", store.Forever)
	k.set(within("b", old), "2", "", store.Forever)
	k.set(within("b", old), "3", "", store.Forever)
	k.refused("Set", k.store.Set(k.ctx, within("b", old), "4", nil, store.Forever))
	k.set(within("c", later), "1", "", store.Forever)
	k.refused("Set", k.store.Set(k.ctx, within("a", later), "3", nil, store.Forever))
	k.delete(within("a", old), "1") // whatever quotas the deleting call gives
	k.set(within("c", later), "2", "", store.Forever)
	k.refused("Set", k.store.Set(k.ctx, within("c", later), "3", nil, store.Forever))
}
