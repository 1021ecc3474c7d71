package gitindex

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// repository makes one with git: a tracked file in a folder, a changed one, an untracked one, and an empty one.
func repository(t *testing.T, version string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git isn't installed")
	}
	top := t.TempDir()
	git(t, top, "init", "-q")
	git(t, top, "config", "index.version", version)
	git(t, top, "config", "index.threads", "1")
	for _, name := range []string{"data/a.csv", "data/deep/b.csv", "kept.db", "changed.db", "soon.db", "a/z.db"} {
		write(t, filepath.Join(top, name), "content of "+name)
	}
	if err := os.Symlink("kept.db", filepath.Join(top, "link.db")); err != nil {
		t.Fatal(err)
	}
	git(t, top, "add", ".")
	write(t, filepath.Join(top, "soon2.db"), "x")
	git(t, top, "add", "-N", "soon2.db")
	write(t, filepath.Join(top, "changed.db"), "CONTENT of changed.db") // of the same length
	for _, name := range []string{"untracked.db", "mixed/u.csv", ".hidden.db"} {
		write(t, filepath.Join(top, name), "x")
	}
	write(t, filepath.Join(top, "empty.db"), "")
	write(t, filepath.Join(top, "hollow/empty"), "")
	return top
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.example", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.example")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v: %s", args, err, out)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestOf(t *testing.T) {
	for _, version := range []string{"2", "3", "4"} {
		top := repository(t, version)
		for _, c := range []struct {
			name    string
			pattern bool
			want    State
		}{
			{"kept.db", false, Kept},
			{"a/z.db", false, Kept},
			{"data", false, Kept},
			{"data/deep", false, Kept},
			{"link.db", false, Kept},
			{"changed.db", false, Lost},
			{"untracked.db", false, Lost},
			{"soon2.db", false, Lost}, // git add -N has no content of it
			{"mixed", false, Lost},
			{".", false, Lost},
			{"empty.db", false, Absent},
			{"hollow", false, Absent},
			{"none.db", false, Absent},
			{"none/none.db", false, Absent},
			{"k*.db", true, Kept},
			{"*.db", true, Lost},
			{"[!u]ept.db", true, Kept},
			{"data/*", true, Kept},
			{"*.none", true, Absent},
			{"*dden.db", true, Absent},
			{".h*.db", true, Lost},
			{"d*ta/a.csv", true, Lost},
			{"+(k).db", true, Lost},
			{"[.db", true, Lost},
		} {
			if got := Of(filepath.Join(top, c.name), c.pattern); got != c.want {
				t.Errorf("version %s, %s: %s, want %s", version, c.name, got, c.want)
			}
		}
	}
	if got := Of("kept.db", false); got != Lost {
		t.Errorf("a relative path: %s", got)
	}
}

// The content decides where the times don't tell.
func TestOfTouched(t *testing.T) {
	top := repository(t, "2")
	past := time.Now().Add(-time.Hour)
	for _, name := range []string{"kept.db", "changed.db"} {
		if err := os.Chtimes(filepath.Join(top, name), past, past); err != nil {
			t.Fatal(err)
		}
	}
	if got := Of(filepath.Join(top, "kept.db"), false); got != Kept {
		t.Errorf("touched: %s", got)
	}
	if got := Of(filepath.Join(top, "changed.db"), false); got != Lost {
		t.Errorf("changed: %s", got)
	}
}

// A file that is too large to be read is known by what the index says of it, if that is older than the index.
func TestOfLarge(t *testing.T) {
	top := repository(t, "2")
	large := filepath.Join(top, "large.db")
	write(t, large, strings.Repeat("x", maxContent+1))
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(large, past, past); err != nil {
		t.Fatal(err)
	}
	git(t, top, "add", "large.db")
	if got := Of(large, false); got != Kept {
		t.Errorf("as it was: %s", got)
	}
	index := filepath.Join(top, ".git/index")
	if err := os.Chtimes(index, past, past); err != nil {
		t.Fatal(err)
	}
	if got := Of(large, false); got != Lost {
		t.Errorf("of the moment of the index: %s", got)
	}
}

func TestOfWorktreesAndOthers(t *testing.T) {
	top := repository(t, "2")
	git(t, top, "commit", "-q", "-m", "a")
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, top, "worktree", "add", "-q", linked)
	if got := Of(filepath.Join(linked, "kept.db"), false); got != Kept {
		t.Errorf("in a linked worktree: %s", got)
	}
	if got := Of(filepath.Join(top, ".git/config"), false); got != Lost {
		t.Errorf("in .git: %s", got)
	}
	outside := t.TempDir()
	write(t, filepath.Join(outside, "a.db"), "x")
	if got := Of(filepath.Join(outside, "a.db"), false); got != Lost {
		t.Errorf("in no repository: %s", got)
	}
	write(t, filepath.Join(outside, ".git"), "gitdir: ")
	if got := Of(filepath.Join(outside, "a.db"), false); got != Lost {
		t.Errorf("in what is no repository: %s", got)
	}
	git(t, top, "update-index", "--split-index")
	write(t, filepath.Join(top, "kept.db"), "another")
	if got := Of(filepath.Join(top, "kept.db"), false); got != Lost {
		t.Errorf("of a split index: %s", got)
	}
}

// More files than are looked at count as lost.
func TestOfMany(t *testing.T) {
	top := repository(t, "2")
	for range maxFiles {
		f, err := os.CreateTemp(filepath.Join(top, "hollow"), "")
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	if got := Of(filepath.Join(top, "hollow"), false); got != Lost {
		t.Errorf("many files: %s", got)
	}
}

// FuzzSearch: whatever an index says, it is read within its bounds.
func FuzzSearch(f *testing.F) {
	header := func(version, count byte) string {
		return "DIRC\x00\x00\x00" + string(version) + "\x00\x00\x00" + string(count)
	}
	fixed := strings.Repeat("\x00", 24) + "\x00\x00\x81\xa4" + strings.Repeat("\x00", 32)
	end := strings.Repeat("\x00", hashSize)
	f.Add([]byte(header(2, 1) + fixed + "\x00\x01a" + strings.Repeat("\x00", 9) + end))
	f.Add([]byte(header(3, 1) + fixed + "\x40\x01\x20\x00a" + strings.Repeat("\x00", 7) + end))
	f.Add([]byte(header(4, 2) + fixed + "\x00\x01\x00a\x00" + fixed + "\x00\x01\x01b\x00" + end))
	f.Add([]byte(header(4, 255) + fixed + "\x00\x01\xff\xff\xff\xff\x7fa\x00" + end))
	f.Add([]byte(header(2, 1) + fixed + "\x0f\xff" + strings.Repeat("a", maxName+1) + strings.Repeat("\x00", 8) + end))
	f.Fuzz(func(t *testing.T, index []byte) {
		found := 0
		_ = search(index, func(name []byte) bool {
			if len(name) > maxName {
				t.Errorf("a name of %d bytes", len(name))
			}
			return true
		}, func(string, entry) bool { found++; return true })
		if found*fixedSize > len(index) {
			t.Errorf("%d entries in %d bytes", found, len(index))
		}
	})
}
