package file_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/file"
)

// unusable holds that a store can be neither read nor written, says so, and stays as it
// is.
func unusable(t *testing.T, path, want string) {
	t.Helper()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := file.New(path)
	for range 2 {
		_, get := s.Get(t.Context(), home, "k")
		_, incr := s.Incr(t.Context(), home, "n", 1, store.Keep)
		_, list := s.List(t.Context(), home, "")
		for name, err := range map[string]error{"Get": get, "Incr": incr, "List": list, "Delete": s.Delete(t.Context(), home, "k")} {
			var unavailable *store.UnavailableError
			if !errors.As(err, &unavailable) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want that %s", name, err, want)
			}
		}
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the file has changed: %v", err)
	}
}

// made is a store with some content.
func made(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "store.db")
	s := file.New(path)
	for i := range 40 {
		set(t, s, fmt.Sprint("key ", i), strings.Repeat("value", 200), time.Hour)
	}
	set(t, s, "k", "v", store.Forever)
	return path
}

// What isn't a store of this version is refused, and never written over.
func TestForeign(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "store.db")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const foreign = "no store of luahook"
	unusable(t, write("{}\n"), foreign)
	unusable(t, write(strings.Repeat("SQLite format 3\x00", 4096)), foreign)
	unusable(t, write(string(make([]byte, 1<<16))), foreign)

	other := func(change func(tx *bolt.Tx) error, options *bolt.Options) string {
		path := filepath.Join(t.TempDir(), "store.db")
		db, err := bolt.Open(path, 0o600, options)
		if err == nil {
			err = errors.Join(db.Update(change), db.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	bucket := func(name, key, value string) func(tx *bolt.Tx) error {
		return func(tx *bolt.Tx) error {
			b, err := tx.CreateBucket([]byte(name))
			if err != nil {
				return err
			}
			return b.Put([]byte(key), []byte(value))
		}
	}
	unusable(t, other(bucket("mine", "k", "v"), nil), foreign)
	unusable(t, other(bucket("about", "k", "v"), nil), foreign)
	unusable(t, other(bucket("about", "format", "2"), nil), "update luahook")
	unusable(t, other(bucket("mine", "k", "v"), &bolt.Options{NoFreelistSync: true}), foreign)

	// A later version of bbolt.
	path := made(t)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{20, os.Getpagesize() + 20} {
		binary.NativeEndian.PutUint32(text[at:], 3)
	}
	unusable(t, write(string(text)), "update luahook")
}

// A file that was cut off is refused, wherever that was.
func TestTruncated(t *testing.T) {
	path := made(t)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := os.Getpagesize()
	used := usedPages(whole) * page
	for _, size := range []int{1, 100, page - 1, page, page + 100, 2 * page, 3*page + 7, used / 2, used - 1} {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		unusable(t, path, "move")
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if value, err := file.New(path).Get(t.Context(), home, "k"); string(value) != "v" || err != nil {
		t.Errorf("the whole file of %d bytes: %q, %v", info.Size(), value, err)
	}
}

// usedPages is how many pages a database says that it has.
func usedPages(text []byte) int {
	first := binary.NativeEndian.Uint64(text[56:])
	second := binary.NativeEndian.Uint64(text[os.Getpagesize()+56:])
	return int(max(first, second))
}

// Pages that make no sense are an error, and neither end the process nor hang; the store
// is usable again when the file is.
func TestDamaged(t *testing.T) {
	path := made(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := os.Getpagesize()
	refused := 0
	s := file.New(path)
	s.SetMaxWait(time.Millisecond) // nobody else has it
	random := rand.New(rand.NewPCG(1, 2))
	written := time.Unix(1e9, 0)
	write := func(text []byte) {
		t.Helper()
		written = written.Add(time.Second) // clocks of file systems are coarse
		if err := errors.Join(os.WriteFile(path, text, 0o600), os.Chtimes(path, written, written)); err != nil {
			t.Fatal(err)
		}
	}
	try := func(what string, text []byte) {
		t.Helper()
		write(text)
		_, get := s.Get(t.Context(), home, "key 7")
		_, list := s.List(t.Context(), home, "")
		for name, err := range map[string]error{"Get": get, "List": list, "Set": s.Set(t.Context(), home, "key 7", []byte("new"), store.Forever)} {
			var unavailable *store.UnavailableError
			if err != nil {
				refused++
				if !errors.As(err, &unavailable) || !strings.Contains(err.Error(), "move it away") {
					t.Errorf("%s with %s: %v", name, what, err)
				}
			}
		}
	}
	for at := 2; at < usedPages(whole); at++ {
		text := bytes.Clone(whole)
		clear(text[at*page : (at+1)*page])
		try(fmt.Sprint("no page ", at), text)

		text = bytes.Clone(whole)
		copy(text[at*page:(at+1)*page], whole[(at-1)*page:])
		try(fmt.Sprint("another page ", at), text)

		text = bytes.Clone(whole)
		for i := range page - 16 { // what a page is stays readable
			text[at*page+16+i] = byte(random.Uint32())
		}
		try(fmt.Sprint("noise in page ", at), text)
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
	write(whole)
	if value, err := s.Get(t.Context(), home, "k"); string(value) != "v" || err != nil {
		t.Errorf("after it was mended: %q, %v", value, err)
	}
	set(t, s, "k", "w", store.Forever)
}
