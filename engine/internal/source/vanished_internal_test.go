package source

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/luahook/luahook/hooks"
)

func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func put(t *testing.T, root string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		p := filepath.Join(root, filepath.FromSlash(files[i]))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(files[i+1]), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// A file that comes back while its folder is being read isn't gone.
func TestBackWhileItIsRead(t *testing.T) {
	root := realDir(t)
	put(t, root, ".hooks/a.lua", "on('stop', function() end)", ".hooks/meta.lua", "local x")
	f := Folder{Scope: hooks.ScopeProject, Dir: filepath.Join(root, ".hooks"), Scripts: filepath.Join(root, ".hooks"), Root: root, Confined: true}
	old := f.Read(NewBudget(OwnBudget))
	away := filepath.Join(root, "away")
	if err := os.Rename(f.Dir, away); err != nil {
		t.Fatal(err)
	}
	c := f.Read(NewBudget(OwnBudget))
	if gone, back := c.missing(old, false); len(gone) != 2 || back {
		t.Errorf("gone: %v, back: %t", gone, back)
	}
	if err := os.Rename(away, f.Dir); err != nil {
		t.Fatal(err)
	}
	put(t, root, ".hooks/meta.lua", "---@meta")
	if gone, back := c.missing(old, false); len(gone) != 1 || !back {
		t.Errorf("gone: %v, back: %t", gone, back)
	}
	if gone, back := f.Read(NewBudget(OwnBudget)).missing(old, false); len(gone) != 0 || back {
		t.Errorf("gone: %v, back: %t", gone, back)
	}
}
