package spill

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFolderThatWasMadeAnew: one that another process has deleted and made again isn't taken for a link, so that a
// text is written into the new one.
func TestFolderThatWasMadeAnew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "texts")
	open := func() *os.Root {
		t.Helper()
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = root.Close() })
		return root
	}
	named := func() (fs.FileInfo, error) { return os.Lstat(dir) }
	old := open()
	if err := os.Rename(dir, dir+".old"); err != nil { // deleted, with its number still in use
		t.Fatal(err)
	}
	now := open()
	if err := check(old, named); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the old folder: %v, want %v", err, fs.ErrNotExist)
	}
	if err := check(now, named); err != nil {
		t.Errorf("the new folder: %v", err)
	}
	if err := os.Rename(dir, dir+".new"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir+".new", dir); err != nil {
		t.Fatal(err)
	}
	if err := check(now, named); err == nil || !strings.Contains(err.Error(), "it is a link") {
		t.Errorf("a link: %v", err)
	}
}
