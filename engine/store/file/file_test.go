package file_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/internal/ownfile"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/file"
	"github.com/luahook/luahook/engine/store/storetest"
)

var home = store.Space{Name: "home"}

func set(t *testing.T, s *file.Store, key, value string, ttl time.Duration) {
	t.Helper()
	if err := s.Set(t.Context(), home, key, []byte(value), ttl); err != nil {
		t.Fatal(err)
	}
}

// Reading creates nothing; writing creates a file and a folder that belong to the user alone, and leaves nothing
// else.
func TestMakes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "er", "store.db")
	s := file.New(path)
	if value, err := s.Get(t.Context(), home, "k"); value != nil || err != nil {
		t.Errorf("Get where there is nothing = %q, %v", value, err)
	}
	if keys, err := s.List(t.Context(), home, ""); len(keys) > 0 || err != nil {
		t.Errorf("List where there is nothing = %q, %v", keys, err)
	}
	if _, err := os.Stat(filepath.Dir(filepath.Dir(path))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading has made a folder: %v", err)
	}
	set(t, s, "k", "v", store.Forever)
	if runtime.GOOS != "windows" {
		for at, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700 | fs.ModeDir, filepath.Dir(filepath.Dir(path)): 0o700 | fs.ModeDir} {
			info, err := os.Stat(at)
			if err != nil || info.Mode() != want {
				t.Errorf("%s: %v, %v, want the mode %v", at, info.Mode(), err, want)
			}
		}
	}
	left, err := filepath.Glob(path + "?*")
	if want := []string{path + ".lock"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("beside the store there is %q, %v, want %q", left, err, want)
	}
}

// A file that others may have written is refused, and so is a link to another place.
func TestNotOurs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing here")
	}
	refused := func(s *file.Store, want string) {
		t.Helper()
		_, get := s.Get(t.Context(), home, "k")
		for name, err := range map[string]error{"Get": get, "Set": s.Set(t.Context(), home, "k", nil, store.Forever)} {
			var notOurs *ownfile.NotOursError
			var unavailable *store.UnavailableError
			if !errors.As(err, &notOurs) || !errors.As(err, &unavailable) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want that it isn't the user's (%s)", name, err, want)
			}
		}
	}
	path := made(t)
	s := file.New(path)
	if err := os.Chmod(path, 0o620); err != nil {
		t.Fatal(err)
	}
	refused(s, "0620")
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	refused(s, "folder")
	if err := os.Chmod(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	set(t, s, "k", "v", store.Forever)

	link := filepath.Join(t.TempDir(), "store.db")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	refused(file.New(link), "symbolic link")
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(t.TempDir(), "new"), link); err != nil {
		t.Fatal(err)
	}
	refused(file.New(link), "symbolic link")

	folder := filepath.Join(t.TempDir(), "store.db")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	var unavailable *store.UnavailableError
	if err := file.New(folder).Set(t.Context(), home, "k", nil, store.Forever); !errors.As(err, &unavailable) {
		t.Errorf("a folder in its place: %v", err)
	}
}

// hold opens the file as another process would, until the returned function is called.
func hold(t *testing.T, path string) (release func()) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if busy, err := file.Lock(f, true); busy || err != nil {
		t.Fatalf("the file is busy: %v, %v", busy, err)
	}
	return func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A waiting call gives up when the context is done, and after a time in any case; the wait is noted, and nothing
// has changed.
func TestWaits(t *testing.T) {
	path := made(t)
	release := hold(t, path)
	s := file.New(path)
	counting, waited := store.Counting(t.Context())
	ctx, cancel := context.WithTimeout(counting, 20*time.Millisecond)
	defer cancel()
	if err := s.Set(ctx, home, "k", []byte("new"), store.Forever); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Set: %v, want that the time is up", err)
	}
	if waited() == 0 {
		t.Error("nothing was waited")
	}
	impatient := file.New(path)
	impatient.SetMaxWait(20 * time.Millisecond)
	var unavailable *store.UnavailableError
	if _, err := impatient.Get(t.Context(), home, "k"); !errors.As(err, &unavailable) || !strings.Contains(err.Error(), path) {
		t.Errorf("Get: %v, want that it is in use", err)
	}

	// A call of the same process waits behind the first, and can end as well.
	first := make(chan error, 1)
	began, asks := make(chan struct{}), waiting{t.Context(), make(chan struct{})}
	go func() {
		close(began)
		first <- s.Set(asks, home, "k", []byte("newer"), store.Forever)
	}()
	<-began
	<-asks.asked // it has its turn, and waits for the file
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if _, err := s.Get(ctx, home, "k"); !errors.Is(err, context.Canceled) {
		t.Errorf("Get: %v, want that it is cancelled", err)
	}
	release()
	if err := <-first; err != nil {
		t.Errorf("Set after a wait: %v", err)
	}
	if value, err := s.Get(t.Context(), home, "k"); string(value) != "newer" || err != nil {
		t.Errorf("k = %q, %v", value, err)
	}
}

// If a process holds the file for good, not each call waits as long as the first.
func TestWaitsLessForAFileThatIsStuck(t *testing.T) {
	path := made(t)
	release := hold(t, path)
	s := file.New(path)
	s.SetMaxWait(time.Millisecond)
	var unavailable *store.UnavailableError
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		if _, err := s.Get(ctx, home, "k"); !errors.As(err, &unavailable) {
			t.Errorf("Get: %v, want that it is in use", err)
		}
		cancel()
		s.SetMaxWait(8 * time.Second)
	}
	release()
	if _, err := s.Get(t.Context(), home, "k"); err != nil {
		t.Error(err)
	}
}

// waiting is a context that tells when somebody waits for its end.
type waiting struct {
	context.Context
	asked chan struct{}
}

func (w waiting) Done() <-chan struct{} {
	select {
	case <-w.asked:
	default:
		close(w.asked)
	}
	return w.Context.Done()
}

// Writes remove expired keys from the file, in any space.
func TestFileDoesNotGrow(t *testing.T) {
	path, now := filepath.Join(t.TempDir(), "store.db"), storetest.NewClock()
	s := file.New(path)
	s.SetClock(now.Time)
	size := int64(0)
	for round := range 6 {
		for i := range 50 {
			session := store.Space{Name: fmt.Sprint("session ", round, i%5)}
			if err := s.Set(t.Context(), session, fmt.Sprint(i), make([]byte, 2000), time.Minute); err != nil {
				t.Fatal(err)
			}
		}
		now.Advance(time.Minute)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case round == 1:
			size = info.Size()
		case round > 1 && info.Size() > size:
			t.Errorf("in round %d the file has grown from %d to %d bytes", round, size, info.Size())
		}
	}
	for i := range 10 {
		set(t, s, "k", fmt.Sprint(i), store.Forever)
	}
	if err := s.Delete(t.Context(), home, "k"); err != nil {
		t.Fatal(err)
	}
	if keys := s.Keys(t); len(keys) > 0 {
		t.Errorf("the tree has still %q", keys)
	}
}

// A change that panics says nothing about the file, and leaves it usable.
func TestChangePanics(t *testing.T) {
	s := file.New(made(t))
	func() {
		defer func() {
			if p := recover(); p != "mine" {
				t.Errorf("recover() = %v", p)
			}
		}()
		_ = s.Update(t.Context(), home, "k", store.Forever, func([]byte) ([]byte, error) { panic("mine") })
	}()
	if value, err := s.Get(t.Context(), home, "k"); string(value) != "v" || err != nil {
		t.Errorf("k = %q, %v", value, err)
	}
	set(t, s, "k", "w", store.Forever)
}

// BenchmarkProcess measures one operation of one process, without the start of the process.
func BenchmarkProcess(b *testing.B) {
	path := filepath.Join(b.TempDir(), "store.db")
	b.Run("Incr", func(b *testing.B) {
		for b.Loop() {
			if _, err := file.New(path).Incr(b.Context(), home, "n", 1, store.Keep); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Get", func(b *testing.B) {
		for b.Loop() {
			if _, err := file.New(path).Get(b.Context(), home, "n"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
