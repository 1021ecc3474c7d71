package ownfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/internal/ownfile"
)

func TestChange(t *testing.T) {
	for _, unsynced := range []bool{false, true} {
		f := ownfile.File{Path: filepath.Join(t.TempDir(), "deep", "word"), Max: 10, Wait: time.Minute, Unsynced: unsynced}
		if text, err := f.Read(); text != nil || err != nil {
			t.Fatalf("Read where there is nothing = %q, %v", text, err)
		}
		grow := func(old []byte) ([]byte, error) { return append(old, "1234"...), nil }
		for _, want := range []string{"1234", "12341234"} {
			if err := f.Change(grow); err != nil {
				t.Fatal(err)
			}
			if text, err := f.Read(); string(text) != want || err != nil {
				t.Fatalf("Read = %q, %v, want %q", text, err, want)
			}
		}
		no := errors.New("no")
		for _, c := range []struct {
			edit func([]byte) ([]byte, error)
			want error
		}{{grow, ownfile.ErrTooLarge}, {func([]byte) ([]byte, error) { return nil, no }, no}} {
			if err := f.Change(c.edit); !errors.Is(err, c.want) {
				t.Errorf("Change: %v, want %v", err, c.want)
			}
			if text, err := f.Read(); string(text) != "12341234" || err != nil {
				t.Errorf("after a change that failed: %q, %v", text, err)
			}
		}
		if err := os.WriteFile(f.Path, make([]byte, 11), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Read(); !errors.Is(err, ownfile.ErrTooLarge) {
			t.Errorf("Read of a large file: %v", err)
		}
		left, err := filepath.Glob(filepath.Join(filepath.Dir(f.Path), "*.new"))
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

// Who waits for a lock that another has is told so.
func TestChangeWaitsNoLonger(t *testing.T) {
	f := ownfile.File{Path: filepath.Join(t.TempDir(), "word"), Max: 10}
	err := f.Change(func([]byte) ([]byte, error) {
		inner := f.Change(func([]byte) ([]byte, error) { return []byte("second"), nil })
		if inner == nil || !strings.Contains(inner.Error(), "lock file") {
			t.Errorf("a change within a change: %v", inner)
		}
		return []byte("first"), nil
	})
	if text, read := f.Read(); err != nil || read != nil || string(text) != "first" {
		t.Errorf("%q, %v, %v", text, err, read)
	}
}

func TestExtend(t *testing.T) {
	f := ownfile.File{Path: filepath.Join(t.TempDir(), "deep", "word"), Max: 10, Wait: time.Minute}
	no := errors.New("no")
	for _, c := range []struct {
		add  string
		err  error
		fail error
		want string
	}{
		{add: "1234", want: "1234"},
		{add: "", want: "1234"},
		{add: "5678", want: "12345678"},
		{add: "9", err: no, fail: no, want: "12345678"},
		{add: "901", fail: ownfile.ErrTooLarge, want: "12345678"},
		{add: "90", want: "1234567890"},
	} {
		err := f.Extend(func(old []byte) ([]byte, error) {
			if !strings.HasPrefix("1234567890", string(old)) {
				t.Errorf("it was given %q", old)
			}
			return []byte(c.add), c.err
		})
		text, read := f.Read()
		if !errors.Is(err, c.fail) || read != nil || string(text) != c.want {
			t.Errorf("adding %q: %v; then %q, %v, want %q", c.add, err, text, read, c.want)
		}
	}
	err := f.Extend(func([]byte) ([]byte, error) {
		f := f
		f.Wait = 0
		return nil, f.Change(func(old []byte) ([]byte, error) { return old, nil })
	})
	if err == nil || !strings.Contains(err.Error(), "lock file") {
		t.Errorf("a change while it is extended: %v", err)
	}
}

// What processes that were killed have left behind goes with the next change, and nothing
// else does.
func TestChangeRemovesWhatIsLeft(t *testing.T) {
	dir := t.TempDir()
	f := ownfile.File{Path: filepath.Join(dir, "word"), Max: 10, Wait: time.Minute}
	left := []string{"word.1234.new", "word.0.new"}
	others := []string{"word.new", "word..new", "word.12a.new", "word.1.newer", "words.1.new", "other.1.new", ".word.1.new", "word.1.new.old"}
	for _, name := range append(left, others...) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "word.7.new"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "other.1.new"), filepath.Join(dir, "word.8.new")); err == nil {
		others = append(others, "word.8.new")
	}
	if runtime.GOOS != "windows" { // somebody else may have put it there
		if err := errors.Join(os.WriteFile(filepath.Join(dir, "word.9.new"), nil, 0o600), os.Chmod(filepath.Join(dir, "word.9.new"), 0o666)); err != nil {
			t.Fatal(err)
		}
		others = append(others, "word.9.new")
	}
	if err := f.Change(func([]byte) ([]byte, error) { return []byte("text"), nil }); err != nil {
		t.Fatal(err)
	}
	for _, name := range left {
		if _, err := os.Lstat(filepath.Join(dir, name)); !ownfile.IsGone(err) {
			t.Errorf("%s is still there: %v", name, err)
		}
	}
	for _, name := range append(others, "word.7.new", "word") {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}
