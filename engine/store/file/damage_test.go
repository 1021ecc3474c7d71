package file_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/file"
)

// content is the content of the stores that tests damage: a tree of several levels, and values outside the tree.
func content() map[string]string {
	all := map[string]string{"k": "v"}
	for i := range 300 {
		all[fmt.Sprint("key ", i)] = strings.Repeat(fmt.Sprint("value", i), 20)
	}
	for i := range 10 {
		all[fmt.Sprint("large ", i)] = strings.Repeat(fmt.Sprint(i), 3000*(i+1))
	}
	return all
}

// made is a store with that content.
func made(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "store.db")
	s := unsynced(path)
	for key, value := range content() {
		set(t, s, key, value, time.Hour)
	}
	return path
}

// unsynced returns a store that is fast, but not safe if the machine stops.
func unsynced(path string) *file.Store {
	s := file.New(path)
	s.SetDevice(func(f *os.File) file.Device { return file.Unsynced{File: f} })
	return s
}

// owned returns home, used by the given owner.
func owned(by string) store.Space {
	sp := home
	sp.Owner = by
	return sp
}

func lost(err error) bool {
	var unavailable *store.UnavailableError
	return errors.As(err, &unavailable) && unavailable.Lost
}

// asides returns the files that were set aside.
func asides(t *testing.T, path string) []string {
	t.Helper()
	names, err := filepath.Glob(path + ".damaged-*")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// place puts text in place of a store, as before anything was set aside.
func place(t *testing.T, path string, text []byte) {
	t.Helper()
	for _, name := range asides(t, path) {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// damages are what may happen to a page.
var damages = map[string]func(r *rand.Rand, page, other []byte){
	"zeros":           func(_ *rand.Rand, page, _ []byte) { clear(page) },
	"another page":    func(_ *rand.Rand, page, other []byte) { copy(page, other) },
	"a flipped byte":  func(r *rand.Rand, page, _ []byte) { page[r.IntN(len(page))] ^= byte(1 + r.IntN(255)) },
	"a byte in front": func(r *rand.Rand, page, _ []byte) { page[r.IntN(24)] ^= byte(1 + r.IntN(255)) },
	"noise": func(r *rand.Rand, page, _ []byte) {
		for i := range page {
			page[i] = byte(r.Uint32())
		}
	},
}

// Whatever happens to a page, a read returns what was written, or an error. Nothing is ever missing, and no
// value is wrong.
func TestDamagedPages(t *testing.T) {
	path, want := made(t), content()
	whole := readFile(t, path)
	random := rand.New(rand.NewPCG(1, 2))
	keys := []string{"k", "key 0", "key 7", "key 150", "key 299", "large 0", "large 9"}
	noticed := 0
	for at := range len(whole) / file.PageBytes {
		for what, damage := range damages {
			text := bytes.Clone(whole)
			other := random.IntN(len(whole) / file.PageBytes)
			damage(random, text[at*file.PageBytes:][:file.PageBytes], whole[other*file.PageBytes:])
			for _, key := range keys {
				place(t, path, text)
				value, err := unsynced(path).Get(t.Context(), home, key)
				if lost(err) {
					noticed++
				} else if err != nil || string(value) != want[key] {
					t.Errorf("%s in page %d: %s is %.20q (%d bytes), %v", what, at, key, value, len(value), err)
				}
			}
			place(t, path, text)
			if list, err := unsynced(path).List(t.Context(), home, ""); !lost(err) && (err != nil || len(list) != len(want)) {
				t.Errorf("%s in page %d: %d keys, %v", what, at, len(list), err)
			}
			place(t, path, text)
			s := unsynced(path)
			if err := s.Set(t.Context(), home, "key 7", []byte("new"), store.Forever); lost(err) {
				continue
			} else if err != nil {
				t.Errorf("%s in page %d: %v", what, at, err)
			}
			for _, key := range []string{"key 8", "large 3"} { // nothing was written over
				if value, err := s.Get(t.Context(), home, key); !lost(err) && (err != nil || string(value) != want[key]) {
					t.Errorf("%s in page %d, after a write: %s is %.20q, %v", what, at, key, value, err)
				}
			}
		}
	}
	if noticed == 0 {
		t.Error("no damage was noticed")
	}
}

// A damaged head is no loss: there are two.
func TestDamagedHead(t *testing.T) {
	path, want := made(t), content()
	whole := readFile(t, path)
	for n := range 2 {
		for at := range 58 {
			text := bytes.Clone(whole)
			text[n*file.PageBytes+at] ^= 0x55
			place(t, path, text)
			s := unsynced(path)
			if value, err := s.Get(t.Context(), home, "key 7"); err != nil || string(value) != want["key 7"] {
				t.Fatalf("with byte %d of head %d changed: %.20q, %v", at, n, value, err)
			}
			set(t, s, "key 7", "new", store.Forever)
			now := readFile(t, path)
			if !bytes.Equal(now[:58], now[file.PageBytes:][:58]) {
				t.Fatalf("a write has left head %d as it was", n)
			}
		}
	}
}

// A file that was cut off, or emptied, is not a new store.
func TestTruncated(t *testing.T) {
	path := made(t)
	whole := readFile(t, path)
	for _, size := range []int{0, 1, 13, 100, file.PageBytes - 1, file.PageBytes, file.PageBytes + 100, 2 * file.PageBytes, 3*file.PageBytes + 7, len(whole) / 2} {
		place(t, path, whole[:size])
		value, err := unsynced(path).Get(t.Context(), home, "k")
		names := asides(t, path)
		if value != nil || !lost(err) || len(names) != 1 || !strings.Contains(err.Error(), names[0]) {
			t.Errorf("of %d bytes: %q, %v, and set aside is %q", size, value, err, names)
			continue
		}
		if !bytes.Equal(readFile(t, names[0]), whole[:size]) {
			t.Errorf("of %d bytes: what was set aside is something else", size)
		}
	}
}

// Wherever a file was cut off, the first call reports it, not the one that needs the missing part.
func TestTruncatedAnywhere(t *testing.T) {
	path := made(t)
	whole, cuts := readFile(t, path), 0
	for size := file.PageBytes; size < len(whole); size += 3 * file.PageBytes {
		place(t, path, whole[:size])
		s := unsynced(path)
		if _, err := s.Get(t.Context(), home, "k"); err != nil {
			cuts++
			continue
		}
		for key, want := range content() { // nothing came after it
			if value, err := s.Get(t.Context(), home, key); string(value) != want || err != nil {
				t.Fatalf("of %d bytes: %s is %q, %v", size, key, value, err)
			}
		}
	}
	if cuts < 10 {
		t.Errorf("%d files were found cut off", cuts)
	}
}

// Bytes after the end of a store are ignored.
func TestGarbageAppended(t *testing.T) {
	path := made(t)
	place(t, path, append(readFile(t, path), "garbage"...))
	s := unsynced(path)
	if value, err := s.Get(t.Context(), home, "k"); string(value) != "v" || err != nil {
		t.Errorf("k = %q, %v", value, err)
	}
	for i := range 300 {
		set(t, s, fmt.Sprint("more ", i), strings.Repeat("x", 1000), store.Forever)
	}
}

// Each owner learns about a loss once, by a call that fails, and then by a note, until somebody has removed the
// file that was set aside.
func TestLossIsTold(t *testing.T) {
	path := made(t)
	place(t, path, readFile(t, path)[:5000])
	var notes []string
	ctx := store.Noting(t.Context(), func(text string) { notes = append(notes, text) })
	calls := map[string]func(s *file.Store, by string) error{
		"get":    func(s *file.Store, by string) error { _, err := s.Get(ctx, owned(by), "k"); return err },
		"set":    func(s *file.Store, by string) error { return s.Set(ctx, owned(by), "k", []byte("new"), store.Forever) },
		"incr":   func(s *file.Store, by string) error { _, err := s.Incr(ctx, owned(by), "n", 1, store.Keep); return err },
		"list":   func(s *file.Store, by string) error { _, err := s.List(ctx, owned(by), ""); return err },
		"delete": func(s *file.Store, by string) error { return s.Delete(ctx, owned(by), "k") },
	}
	for name, call := range calls {
		notes = nil
		err := call(unsynced(path), name) // a process of its own
		names := asides(t, path)
		if !lost(err) || len(names) != 1 || !strings.Contains(err.Error(), names[0]) || len(notes) != 0 {
			t.Fatalf("%s: %v, set aside %q, notes %q", name, err, names, notes)
		}
		if err := call(unsynced(path), name); err != nil || len(notes) != 1 || !strings.Contains(notes[0], names[0]) {
			t.Errorf("%s for the second time: %v, notes %q", name, err, notes)
		}
	}
	if n, err := unsynced(path).Incr(ctx, owned("incr"), "n", 1, store.Keep); n != 2 || err != nil {
		t.Errorf("the count is %v, %v: a call that failed has counted", n, err)
	}
	if err := os.Remove(asides(t, path)[0]); err != nil {
		t.Fatal(err)
	}
	notes = nil
	for _, by := range []string{"get", "another"} {
		if err := calls["get"](unsynced(path), by); err != nil {
			t.Error(err)
		}
		if err := calls["set"](unsynced(path), by); err != nil {
			t.Error(err)
		}
	}
	if len(notes) > 0 {
		t.Errorf("somebody has looked, and still: %q", notes)
	}
	place(t, path, readFile(t, path)[:5000]) // another time
	if err := calls["get"](unsynced(path), "get"); !lost(err) {
		t.Errorf("another loss: %v", err)
	}
}

// A process that was killed between setting the old file aside and making a new one has not hidden the loss.
func TestLossIsToldThoughNoStoreIsThere(t *testing.T) {
	for _, writes := range []bool{false, true} {
		path := made(t)
		if err := os.Rename(path, path+".damaged-20300101T000000.000000000"); err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			var err error
			if writes {
				err = unsynced(path).Set(t.Context(), home, "k", nil, store.Forever)
			} else {
				_, err = unsynced(path).Get(t.Context(), home, "k")
			}
			if lost(err) != (i == 0) {
				t.Errorf("call %d: %v", i+1, err)
			}
		}
	}
}

// A disk that damages one store after the other isn't filled with them.
func TestNotEverythingIsSetAside(t *testing.T) {
	path := made(t)
	whole := readFile(t, path)
	for i := range 7 {
		if err := os.WriteFile(path, whole[:100], 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			_, err := unsynced(path).Get(t.Context(), home, "k")
			var unavailable *store.UnavailableError
			if i < 5 != lost(err) && i < 5 || i >= 5 && (!errors.As(err, &unavailable) || lost(err) || !strings.Contains(err.Error(), "move it away")) {
				t.Errorf("file %d: %v", i+1, err)
			}
			if i < 5 {
				break
			}
		}
	}
	if n := len(asides(t, path)); n != 5 {
		t.Errorf("%d files were set aside", n)
	}
}

// unusable checks that a store can be neither read nor written, says so, and stays as it is.
func unusable(t *testing.T, path, want string) {
	t.Helper()
	before := readFile(t, path)
	s := file.New(path)
	for range 2 {
		_, get := s.Get(t.Context(), home, "k")
		_, incr := s.Incr(t.Context(), home, "n", 1, store.Keep)
		_, list := s.List(t.Context(), home, "")
		for name, err := range map[string]error{"Get": get, "Incr": incr, "List": list, "Delete": s.Delete(t.Context(), home, "k")} {
			var unavailable *store.UnavailableError
			if !errors.As(err, &unavailable) || unavailable.Lost || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want that %s", name, err, want)
			}
		}
	}
	if !bytes.Equal(readFile(t, path), before) {
		t.Error("the file has changed")
	}
	if names := asides(t, path); len(names) > 0 {
		t.Errorf("set aside: %q", names)
	}
}

// A file that isn't a store of this version, or not one at all, is refused, and never overwritten.
func TestForeign(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "store.db")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	unusable(t, write("{}\n"), "not a luahook store")
	unusable(t, write(strings.Repeat("SQLite format 3\x00", 4096)), "not a luahook store")
	newer := readFile(t, made(t))
	newer[15], newer[file.PageBytes+15] = 9, 9
	unusable(t, write(string(newer)), "update luahook")
}

// The database of an earlier version is set aside with a message.
func TestOlder(t *testing.T) {
	old := make([]byte, 1<<15)
	copy(old[16:], "\xed\xda\x0c\xed")
	copy(old[file.PageBytes+16:], "\xed\xda\x0c\xed")
	path := filepath.Join(t.TempDir(), "store.db")
	place(t, path, old)
	if _, err := file.New(path).Get(t.Context(), home, "k"); !lost(err) || !strings.Contains(err.Error(), "older luahook") {
		t.Errorf("Get: %v", err)
	}
	set(t, file.New(path), "k", "v", store.Forever)
}

// crash is a disk that stops before one of the steps of a write. Each part that was written and not synced by
// then may or may not be there.
type crash struct {
	*os.File
	left    *int // steps
	random  *rand.Rand
	pending *[]func() error
}

var errCrash = errors.New("the machine has stopped")

func (c crash) step(do func() error) error {
	if *c.left--; *c.left < 0 {
		for _, do := range *c.pending {
			if c.random.IntN(2) == 0 {
				if err := do(); err != nil {
					return err
				}
			}
		}
		*c.pending = nil
		return errCrash
	}
	*c.pending = append(*c.pending, do)
	return nil
}

func (c crash) WriteAt(b []byte, at int64) (int, error) {
	b = bytes.Clone(b)
	return len(b), c.step(func() error {
		_, err := c.File.WriteAt(b, at)
		return err
	})
}

func (c crash) Truncate(size int64) error {
	return c.step(func() error { return c.File.Truncate(size) })
}

func (c crash) Sync() error {
	if err := c.step(func() error { return nil }); err != nil {
		return err
	}
	return c.flush()
}

func (c crash) flush() error {
	for _, do := range *c.pending {
		if err := do(); err != nil {
			return err
		}
	}
	*c.pending = nil
	return nil
}

// Wherever the machine stops, and whatever part of the unsynced writes is on the disk, the store holds the old
// content or the new one, and isn't damaged.
func TestMachineStops(t *testing.T) {
	path := made(t)
	value := func(i int) string { return strings.Repeat(fmt.Sprint(i, " "), 1+i%7*500) }
	now := ""
	set(t, unsynced(path), "n", now, store.Forever)
	random := rand.New(rand.NewPCG(3, 4))
	done := 0
	for i := range 400 {
		var pending []func() error
		left := random.IntN(14)
		s := file.New(path)
		s.SetDevice(func(f *os.File) file.Device { return crash{f, &left, random, &pending} })
		err := s.Set(t.Context(), home, "n", []byte(value(i)), store.Forever)
		if err == nil {
			done++
		}
		// What nobody has synced when the machine stops later.
		s = file.New(path)
		s.SetDevice(func(f *os.File) file.Device { return file.Unsynced{File: f} })
		got, read := s.Get(t.Context(), home, "n")
		switch {
		case read != nil:
			t.Fatalf("write %d, which ended with %v: %v", i, err, read)
		case string(got) == value(i):
			now = value(i)
		case string(got) != now || err == nil:
			t.Fatalf("write %d, which ended with %v: the value is %.20q, and was %.20q", i, err, got, now)
		}
		if key := fmt.Sprint("key ", i%300); i%10 == 0 {
			if got, err := s.Get(t.Context(), home, key); err != nil || string(got) != content()[key] {
				t.Fatalf("after write %d, %s is %.20q, %v", i, key, got, err)
			}
		}
	}
	if done == 0 || done == 400 {
		t.Errorf("%d of 400 writes have been done; want some of both", done)
	}
}

// failing is a disk that is full, or broken.
type failing struct {
	file.Unsynced
	err error
}

func (f failing) WriteAt([]byte, int64) (int, error) { return 0, f.err }
func (f failing) Truncate(int64) error               { return f.err }

type unreadable struct{ file.Unsynced }

func (unreadable) ReadAt([]byte, int64) (int, error) { return 0, errors.New("input/output error") }

// A disk that can't be read or written is an error, not damage.
func TestDiskFails(t *testing.T) {
	path, full := made(t), errors.New("no space left on device")
	before := readFile(t, path)
	s := file.New(path)
	s.SetDevice(func(f *os.File) file.Device { return failing{file.Unsynced{File: f}, full} })
	if err := s.Set(t.Context(), home, "k", []byte("new"), store.Forever); !errors.Is(err, full) || lost(err) {
		t.Errorf("Set on a full disk: %v", err)
	}
	if value, err := s.Get(t.Context(), home, "k"); string(value) != "v" || err != nil {
		t.Errorf("Get from a full disk: %q, %v", value, err)
	}
	s.SetDevice(func(f *os.File) file.Device { return unreadable{file.Unsynced{File: f}} })
	if _, err := s.Get(t.Context(), home, "k"); err == nil || lost(err) || !strings.Contains(err.Error(), "input/output error") {
		t.Errorf("Get from a broken disk: %v", err)
	}
	if !bytes.Equal(readFile(t, path), before) || len(asides(t, path)) > 0 {
		t.Error("the file has changed")
	}
}

// A store of many keys, of all sizes, that come and go behaves like one in memory.
func TestAsInMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s, m := unsynced(path), store.NewMemory(0)
	random := rand.New(rand.NewPCG(5, 6))
	spaces := []store.Space{home, {Name: "other", MaxKeys: 200, Within: all[:1]}, {Name: "third", Within: all}, {Name: "third", Within: all[1:]}}
	rounds := 6000
	if testing.Short() {
		rounds = 1500
	}
	for i := range rounds {
		sp := spaces[random.IntN(len(spaces))]
		key := strings.Repeat("k", 1+random.IntN(4)*random.IntN(250)) + fmt.Sprint(random.IntN(400))
		ttl := []time.Duration{store.Forever, store.Keep, time.Hour}[random.IntN(3)]
		value := bytes.Repeat([]byte{byte(i)}, random.IntN(10)*random.IntN(200))
		call := func(s store.Store) (got any, err error) {
			switch i % 10 {
			case 0:
				return s.List(t.Context(), sp, key[:1])
			case 1, 2:
				return nil, s.Delete(t.Context(), sp, key)
			case 3:
				return s.Get(t.Context(), sp, key)
			default:
				return nil, s.Set(t.Context(), sp, key, value, ttl)
			}
		}
		got, err := call(s)
		want, wanted := call(m)
		if fmt.Sprint(got, err) != fmt.Sprint(want, wanted) {
			t.Fatalf("call %d: %.200v, %v, want %.200v, %v", i, got, err, want, wanted)
		}
	}
	keys := 0
	for _, sp := range spaces[:3] {
		list, err := s.List(t.Context(), sp, "")
		if err != nil {
			t.Fatal(err)
		}
		keys += len(list)
		for _, key := range list {
			if err := s.Delete(t.Context(), sp, key); err != nil {
				t.Fatal(err)
			}
		}
	}
	if left := s.Keys(t); len(left) > 0 {
		t.Errorf("the tree has still %q", left)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > 1<<21 {
		t.Errorf("%d keys are gone, and the file has %d bytes, %v", keys, info.Size(), err)
	}
}

var all = []store.Quota{{Name: "all", MaxKeys: 500}, {Name: "most", MaxBytes: 100_000}}

// A call ends when its context does, also during its work.
func TestWorkIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := unsynced(made(t))
	err := s.Update(ctx, home, "k", store.Forever, func([]byte) ([]byte, error) {
		cancel()
		return nil, ctx.Err()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Update: %v", err)
	}
	if list, err := s.List(ctx, home, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("List: %d keys, %v", len(list), err)
	}
}
