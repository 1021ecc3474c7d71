//go:build unix

package openfile_test

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/luahook/luahook/internal/openfile"
)

// inTime calls f, which has to come back by itself.
func inTime(t *testing.T, f func() error) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	came := make(chan error, 1)
	go func() { came <- f() }()
	select {
	case err := <-came:
		return err
	case <-ctx.Done():
		t.Fatal("it waits")
		return nil
	}
}

func closing[T interface{ Close() error }](f T, err error) error {
	if err == nil {
		_ = f.Close()
	}
	return err
}

// TestNobodyIsWaitedFor: whatever is found in place of a file or a folder is reported at once.
func TestNobodyIsWaitedFor(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir) // a socket's path has to be short
	socket, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	for _, name := range []string{"pipe", "link", "socket"} {
		path := filepath.Join(dir, name)
		for what, open := range map[string]func() error{
			"Regular":   func() error { f, _, err := openfile.Regular(path); return closing(f, err) },
			"RegularIn": func() error { f, _, err := openfile.RegularIn(root, name); return closing(f, err) },
			"Read":      func() error { _, err := openfile.Read(path, 10); return err },
			"ReadIn":    func() error { _, err := openfile.ReadIn(root, name, 10); return err },
			"FolderIn":  func() error { return closing(openfile.FolderIn(root, name)) },
			"Root":      func() error { return closing(openfile.Root(path)) },
			"RootIn":    func() error { return closing(openfile.RootIn(root, name)) },
			"Tree":      func() error { _, err := fs.ReadDir(openfile.Tree(root), name); return err },
		} {
			if err := inTime(t, open); err == nil {
				t.Errorf("%s of a %s: no error", what, name)
			}
		}
	}
	if err := inTime(t, func() error { _, err := openfile.Read("/dev/zero", 10); return err }); !errors.Is(err, openfile.ErrIrregular) {
		t.Errorf("a device: %v", err)
	}
	if err := inTime(t, func() error { _, err := openfile.Read(dir, 10); return err }); !errors.Is(err, openfile.ErrIrregular) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := openfile.Read("/proc/self/stat", 10); err == nil { // whose size is said to be 0
		t.Error("a file of more than 10 bytes was read")
	}
}

func TestWhatIsThereIsOpened(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "folder", "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"b", "a"} {
		if err := os.WriteFile(filepath.Join(dir, "folder", name), []byte("1234567890"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("folder", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "link", "..")} {
		root, err := openfile.Root(path)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		for _, name := range []string{"folder", "link"} {
			inner, err := openfile.RootIn(root, name)
			if err != nil {
				t.Fatal(err)
			}
			defer inner.Close()
			if text, err := openfile.ReadIn(inner, "a", 10); string(text) != "1234567890" || err != nil {
				t.Errorf("%q, %v", text, err)
			}
			if _, err := openfile.ReadIn(inner, "a", 9); err == nil {
				t.Error("a file of 10 bytes was read, of 9 at most")
			}
			var names []string
			entries, err := fs.ReadDir(openfile.Tree(root), name)
			for _, e := range entries {
				names = append(names, e.Name())
			}
			if len(names) != 3 || names[0] != "a" || names[1] != "b" || names[2] != "deep" || err != nil {
				t.Errorf("%v, %v", names, err)
			}
		}
	}
}
