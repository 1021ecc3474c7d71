package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/luahook/luahook/engine/store"
)

func testValues(t *testing.T, k kit) {
	k.wantsNone(home, "k")
	k.delete(home, "k")
	k.set(home, "k", "one", store.Forever)
	k.wants(home, "k", "one")
	k.set(home, "k", "", store.Forever)
	k.wants(home, "k", "")
	k.set(home, "k", "three", store.Keep)
	k.wants(home, "k", "three")
	k.delete(home, "k")
	k.wantsNone(home, "k")
	if err := k.store.Set(k.ctx, home, "none", nil, store.Forever); err != nil {
		t.Fatal(err)
	}
	k.wants(home, "none", "")
	k.lists(home, "", "none")
}

func testAnyBytes(t *testing.T, k kit) {
	var all []byte
	for b := range 256 {
		all = append(all, byte(b))
	}
	keys := []string{
		string(all), "\x00", "\x00\x00", " ", "\r\n", "{a}", "}{", ":", "k", "n", "a:b", "*", "größe", "\xff",
		strings.Repeat("x", store.MaxKey),
	}
	for i, key := range keys {
		k.set(home, key, string(all)+strconv.Itoa(i), store.Forever)
	}
	for i, key := range keys {
		k.wants(home, key, string(all)+strconv.Itoa(i))
	}
	large := strings.Repeat("0123456789abcdef", 1<<16)
	k.set(home, "large", large, store.Forever)
	if got := k.get(home, "large"); string(got) != large {
		t.Errorf("a value of %d bytes has %d, or others", len(large), len(got))
	}
}

func testSpaces(_ *testing.T, k kit) {
	names := []string{"a", "ab", "a:", "a:b", "a}", "{a}", "a\x00", "", " ", "a/b", "A", "%61", "\xff"}
	keys := []string{"b", ":b", "k", "}:k"}
	for i, name := range names {
		for _, key := range keys {
			k.set(store.Space{Name: name}, key, fmt.Sprint(i, key), store.Forever)
		}
	}
	for i, name := range names {
		for _, key := range keys {
			k.wants(store.Space{Name: name}, key, fmt.Sprint(i, key))
		}
		k.lists(store.Space{Name: name}, "", ":b", "b", "k", "}:k")
	}
	k.delete(store.Space{Name: "a"}, "b")
	k.wantsNone(store.Space{Name: "a"}, "b")
	k.wants(store.Space{Name: "ab"}, "b", "1b")
}

func testCopies(t *testing.T, k kit) {
	value := []byte("whole")
	if err := k.store.Set(k.ctx, home, "k", value, store.Forever); err != nil {
		t.Fatal(err)
	}
	clear(value)
	k.wants(home, "k", "whole")
	clear(k.get(home, "k"))
	k.wants(home, "k", "whole")
	fresh := []byte("fresh")
	err := k.store.Update(k.ctx, home, "k", store.Keep, func(old []byte) ([]byte, error) {
		clear(old)
		return fresh, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	clear(fresh)
	k.wants(home, "k", "fresh")
	no := errors.New("no")
	err = k.store.Update(k.ctx, home, "k", store.Keep, func(old []byte) ([]byte, error) {
		clear(old)
		return nil, no
	})
	if !errors.Is(err, no) {
		t.Errorf("Update: %v, want %v", err, no)
	}
	k.wants(home, "k", "fresh")
}

func testBadCalls(t *testing.T, k kit) {
	for _, key := range []string{"", strings.Repeat("x", store.MaxKey+1)} {
		_, get := k.store.Get(k.ctx, home, key)
		_, incr := k.store.Incr(k.ctx, home, key, 1, store.Keep)
		set := k.store.Set(k.ctx, home, key, nil, store.Forever)
		remove := k.store.Delete(k.ctx, home, key)
		update := k.store.Update(k.ctx, home, key, store.Forever, func([]byte) ([]byte, error) {
			t.Error("change is called for a bad key")
			return nil, nil
		})
		for name, err := range map[string]error{"Get": get, "Incr": incr, "Set": set, "Delete": remove, "Update": update} {
			if !errors.Is(err, store.ErrKey) {
				t.Errorf("%s of a key of %d bytes: %v, want %v", name, len(key), err, store.ErrKey)
			}
		}
	}
	if err := k.store.Set(k.ctx, home, "k", []byte("v"), -2); err == nil {
		t.Error("Set with a time to live below nothing: no error")
	}
	if _, err := k.store.Incr(k.ctx, home, "k", 1, -2); err == nil {
		t.Error("Incr with a time to live below nothing: no error")
	}
	k.lists(home, "")
}

func testIncr(t *testing.T, k kit) {
	k.incr(home, "n", 1, 1)
	k.wants(home, "n", "1")
	k.incr(home, "n", 41, 42)
	k.incr(home, "n", -44, -2)
	k.wants(home, "n", "-2")
	k.incr(home, "n", 2, 0)
	k.wants(home, "n", "0")
	k.incr(home, "n", 0, 0)
	k.incr(home, "far", 1<<53-1, 1<<53-1)
	k.wants(home, "far", "9007199254740991")
	tenth, fifth := 0.1, 0.2
	k.incr(home, "d", tenth, 0.1)
	k.incr(home, "d", fifth, tenth+fifth)
	k.incr(home, "d", -fifth, tenth+fifth-fifth)
	for _, n := range []float64{0.1, 1.5, -2.25, 1e21, 1e300, 5e-324, 1234567.5, math.Pi, math.MaxFloat64} {
		key := "n" + strconv.FormatFloat(n, 'g', -1, 64)
		k.incr(home, key, n, n)
		if kept := k.get(home, key); len(kept) == 0 || parse(kept) != n {
			t.Errorf("%v is kept as %s", n, show(kept))
		}
		k.incr(home, key, 0, n)
	}
	for text, want := range map[string]float64{"5": 6, "+5": 6, "-5": -4, "1.5": 2.5, ".5": 1.5, "1.": 2, "1e2": 101, "1E+2": 101, "007": 8} {
		k.set(home, "text", text, store.Forever)
		k.incr(home, "text", 1, want)
	}
}

func testIncrNoNumber(t *testing.T, k kit) {
	var no *store.NotNumberError
	for _, text := range []string{"", "abc", " 1", "1 ", "1\n", "0x10", "inf", "nan", "1_0", "1,5", "--1", "1e", "e1", ".", "1\x00", "{}", "1e999", strings.Repeat("ä", 100)} {
		k.set(home, "k", text, store.Forever)
		if _, err := k.store.Incr(k.ctx, home, "k", 1, store.Keep); !errors.As(err, &no) {
			t.Errorf("Incr of %q: %v, want that it is not a number", text, err)
		}
		k.wants(home, "k", text)
	}
	_, err := k.store.Incr(k.ctx, home, "k", 1, store.Keep)
	if want := store.NotNumber([]byte(strings.Repeat("ä", 100))).Error(); err == nil || err.Error() != want {
		t.Errorf("Incr: %v, want %s", err, want)
	}
	k.incr(home, "max", math.MaxFloat64, math.MaxFloat64)
	for _, by := range []float64{math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()} {
		if _, err := k.store.Incr(k.ctx, home, "max", by, store.Keep); !errors.As(err, &no) {
			t.Errorf("Incr by %v: %v, want that the sum is not a number", by, err)
		}
	}
	if kept := k.get(home, "max"); parse(kept) != math.MaxFloat64 {
		t.Errorf("max = %s", show(kept))
	}
}

func parse(text []byte) float64 {
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return math.NaN()
	}
	return n
}

func testUpdate(t *testing.T, k kit) {
	if old := k.update(home, "k", store.Forever, []byte("one")); old != nil {
		t.Errorf("a key that isn't there is %s", show(old))
	}
	if old := k.update(home, "k", store.Keep, []byte{}); string(old) != "one" {
		t.Errorf("old = %s", show(old))
	}
	k.wants(home, "k", "")
	if old := k.update(home, "k", store.Forever, nil); old == nil || len(old) != 0 {
		t.Errorf("an empty value is %s", show(old))
	}
	k.wantsNone(home, "k")
	k.update(home, "k", store.Forever, nil)
	k.lists(home, "")
}

func testUpdateError(t *testing.T, k kit) {
	k.set(home, "k", "old", store.Forever)
	no := errors.New("no")
	for _, key := range []string{"k", "other"} {
		err := k.store.Update(k.ctx, home, key, store.Forever, func([]byte) ([]byte, error) { return []byte("new"), no })
		if err != no {
			t.Errorf("Update: %v, want %v", err, no)
		}
	}
	k.wants(home, "k", "old")
	k.lists(home, "", "k")
	k.set(home, "k", "usable", store.Forever)
}

// Concurrent changes of a key lose nothing.
func testContention(t *testing.T, k kit) {
	const workers, rounds = 8, 25
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for range rounds {
				if _, err := k.store.Incr(k.ctx, home, "incr", 1, store.Keep); err != nil {
					t.Errorf("Incr: %v", err)
				}
				err := k.store.Update(k.ctx, home, "update", store.Forever, func(old []byte) ([]byte, error) {
					text, _, err := store.Add(old, 1)
					return text, err
				})
				if err != nil {
					t.Errorf("Update: %v", err)
				}
			}
		})
	}
	all.Wait()
	k.wants(home, "incr", strconv.Itoa(workers*rounds))
	k.wants(home, "update", strconv.Itoa(workers*rounds))
}

func testList(_ *testing.T, k kit) {
	k.lists(home, "")
	keys := []string{"*", "?", "[ab]", "\\", "a", "a*", "aa", "ab", "a[b", "a\\b", "b", "\xff\xff", "\xff"}
	for _, key := range keys {
		k.set(home, key, "", store.Forever)
	}
	k.lists(home, "", "*", "?", "[ab]", "\\", "a", "a*", "a[b", "a\\b", "aa", "ab", "b", "\xff", "\xff\xff")
	k.lists(home, "a", "a", "a*", "a[b", "a\\b", "aa", "ab")
	k.lists(home, "*", "*")
	k.lists(home, "a*", "a*")
	k.lists(home, "?", "?")
	k.lists(home, "[", "[ab]")
	k.lists(home, "[ab]", "[ab]")
	k.lists(home, "a[", "a[b")
	k.lists(home, "\\", "\\")
	k.lists(home, "a\\", "a\\b")
	k.lists(home, "\xff", "\xff", "\xff\xff")
	k.lists(home, "c")
	k.lists(store.Space{Name: "nowhere"}, "")
}

func testContextDone(t *testing.T, k kit) {
	k.set(home, "k", "1", store.Forever)
	ctx, cancel := context.WithCancel(k.ctx)
	cancel()
	_, get := k.store.Get(ctx, home, "k")
	_, incr := k.store.Incr(ctx, home, "k", 1, store.Keep)
	_, list := k.store.List(ctx, home, "")
	for name, err := range map[string]error{
		"Get": get, "Incr": incr, "List": list,
		"Set":    k.store.Set(ctx, home, "k", []byte("2"), store.Forever),
		"Delete": k.store.Delete(ctx, home, "k"),
		"Update": k.store.Update(ctx, home, "k", store.Forever, func([]byte) ([]byte, error) { return nil, nil }),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s after the context is done: %v", name, err)
		}
	}
	k.wants(home, "k", "1")
}
