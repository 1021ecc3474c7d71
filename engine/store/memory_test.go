package store_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) (store.Store, func(time.Duration)) {
		m, c := store.NewMemory(0), storetest.NewClock()
		m.SetClock(c.Time)
		return m, c.Advance
	})
}

// With too many keys the least recently used ones are forgotten, in any space.
func TestMemoryForgetsTheOldest(t *testing.T) {
	m := store.NewMemory(3)
	set := func(space, key string) {
		t.Helper()
		if err := m.Set(t.Context(), store.Space{Name: space, MaxKeys: 3}, key, []byte(key), store.Forever); err != nil {
			t.Fatal(err)
		}
	}
	set("one", "a")
	set("two", "b")
	set("one", "c")
	if _, err := m.Get(t.Context(), store.Space{Name: "one"}, "a"); err != nil { // b is the oldest now
		t.Fatal(err)
	}
	set("one", "d")
	set("one", "d")
	set("two", "e") // and then c
	for space, want := range map[string]string{"one": "[a d]", "two": "[e]"} {
		keys, err := m.List(t.Context(), store.Space{Name: space}, "")
		if got := fmt.Sprint(keys); err != nil || got != want {
			t.Errorf("%s has %s, %v, want %s", space, got, err, want)
		}
	}
	for i := range 4 { // more than the store has room for, within what the space may hold
		set(strconv.Itoa(i), "f")
	}
	if keys, err := m.List(t.Context(), store.Space{Name: "two"}, ""); err != nil || len(keys) > 0 {
		t.Errorf("two has %s, %v, want nothing", keys, err)
	}
}

func ExampleCounting() {
	ctx, waited := store.Counting(context.Background())
	store.Waited(ctx, 20*time.Millisecond) // a driver does this
	store.Waited(ctx, 10*time.Millisecond)
	fmt.Println(waited())
	// Output: 30ms
}

func ExampleNewMemory() {
	ctx, s := context.Background(), store.NewMemory(10_000)
	edits := store.Space{Name: "edits", MaxKeys: 100, MaxBytes: 64 << 10}
	for range 2 {
		n, err := s.Incr(ctx, edits, "main.go", 1, store.Keep)
		fmt.Println(n, err)
	}
	// Output:
	// 1 <nil>
	// 2 <nil>
}

func BenchmarkMemory(b *testing.B) {
	m, space := store.NewMemory(0), store.Space{Name: "space", MaxKeys: 1000, MaxBytes: 1 << 20}
	b.Run("Update", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			err := m.Update(b.Context(), space, "key", store.Keep, func(old []byte) ([]byte, error) { return append(old[:0], 'x'), nil })
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Incr", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := m.Incr(b.Context(), space, "n", 1, store.Keep); err != nil {
				b.Fatal(err)
			}
		}
	})
}
