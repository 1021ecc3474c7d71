//go:build unix

package override_test

import (
	"context"
	"os"
	"syscall"
	"testing"
)

func TestModes(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	p := newProject(t)
	lift(t, p.store(t), call("git reset --hard", "0"))
	give(t, p)
	for path, want := range map[string]os.FileMode{p.file(t, "passes"): 0o600, p.file(t, "blocked"): 0o600, p.dir: 0o700} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has the mode %o, want %o", path, info.Mode().Perm(), want)
		}
	}
}

// What somebody else may have written lets nothing through.
func TestOthersMayWrite(t *testing.T) {
	p := newProject(t)
	lift(t, p.store(t), call("git reset --hard", "0"))
	give(t, p)
	file := p.file(t, "passes")
	for _, path := range []string{file, p.dir} {
		if err := os.Chmod(path, 0o722); err != nil {
			t.Fatal(err)
		}
		s := p.store(t)
		note, err := s.Overridden(context.Background(), call("git reset --hard", "1"))
		if note != "" {
			t.Errorf("%s: %q", path, note)
		}
		refused(t, "Overridden", err, file, "lets others write (chmod go-w), so nothing in it counts")
		if err := os.Chmod(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if note := lift(t, p.store(t), call("git reset --hard", "2")); note != once {
		t.Errorf("fixed: %q", note)
	}
}
