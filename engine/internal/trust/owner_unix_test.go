//go:build unix

package trust_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/luahook/luahook/engine/internal/trust"
)

func TestModes(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	s, file, root := newStore(t)
	put(t, s, trust.Pin{Root: root, Hooks: ".hooks", Folder: true})
	for path, want := range map[string]os.FileMode{file: 0o600, filepath.Dir(file): 0o700, filepath.Dir(filepath.Dir(file)): 0o700} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has the mode %o, want %o", path, info.Mode().Perm(), want)
		}
	}
}

// What somebody else may have written is nobody's trust.
func TestOthersMayWrite(t *testing.T) {
	for _, mode := range []os.FileMode{0o620, 0o602, 0o666} {
		s, file, root := newStore(t)
		put(t, s, trust.Pin{Root: root, Hooks: ".hooks", Folder: true})
		for _, path := range []string{file, filepath.Dir(file)} {
			if err := os.Chmod(path, mode|0o100); err != nil {
				t.Fatal(err)
			}
			_, err := s.Get(root, ".hooks")
			refused(t, "Get", err, file, "lets others write (chmod go-w)")
			refused(t, "Put", s.Put(trust.Pin{Root: root, Hooks: ".hooks", Folder: true}), file, "lets others write")
			if err := os.Chmod(path, 0o700); err != nil {
				t.Fatal(err)
			}
			if p, err := s.Get(root, ".hooks"); p == nil || err != nil {
				t.Fatalf("fixed: %v, %v", p, err)
			}
		}
	}
}

func TestOtherOwner(t *testing.T) {
	s, file, root := newStore(t)
	put(t, s, trust.Pin{Root: root, Hooks: ".hooks", Folder: true})
	if err := os.Chown(file, os.Geteuid()+1, -1); err != nil {
		t.Skip("needs to be root: ", err)
	}
	_, err := s.Get(root, ".hooks")
	refused(t, "Get", err, file, "the owner is another user")
}

// A pipe, a folder or a link that leads nowhere in the file's place is told, or is
// nothing; it blocks nobody.
func TestNoFile(t *testing.T) {
	s, file, root := newStore(t)
	if err := os.MkdirAll(file, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := s.Get(root, ".hooks")
	refused(t, "Get", err, file, "not a regular file")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Skip(err)
	}
	_, err = s.Get(root, ".hooks")
	refused(t, "Get", err, file, "not a regular file")
	refused(t, "Put", s.Put(trust.Pin{Root: root, Hooks: ".hooks", Folder: true}), file, "not a regular file")
}
