package spill_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/spill"
)

var _ engine.Spiller = (*spill.Folder)(nil)

func TestMain(m *testing.M) {
	if dir := os.Getenv("SPILL_TEST_DIR"); dir != "" {
		os.Exit(spillMany(dir))
	}
	os.Exit(m.Run())
}

// clock is a time that tests move.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func newFolder(t *testing.T) (f *spill.Folder, dir string, c *clock) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "cache", "spill")
	f = spill.New(dir, "/work/shop")
	c = &clock{at: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
	f.Clock = c.now
	return f, dir, c
}

func write(t *testing.T, f *spill.Folder, session, name, text string) string {
	t.Helper()
	path, err := f.Spill(context.Background(), session, name, text)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestSpill(t *testing.T) {
	f, dir, _ := newFolder(t)
	for name, text := range map[string]string{"plain": "a text\n", "empty": "", "bytes": "\x00\xff\n", "large": strings.Repeat("x", 1<<20)} {
		path := write(t, f, "s-1", name, text)
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		if base, err := filepath.Rel(dir, path); err != nil || !filepath.IsAbs(path) ||
			!regexp.MustCompile(`^[0-9a-f]{24}.20260304T050607\.000Z-`+name+`-[a-z2-7]{10}\.txt$`).MatchString(base) {
			t.Errorf("%s, %v", path, err)
		}
		if runtime.GOOS == "windows" {
			continue
		}
		for at, mode := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700 | fs.ModeDir, dir: 0o700 | fs.ModeDir} {
			if info, err := os.Stat(at); err != nil || info.Mode() != mode {
				t.Errorf("%s: %v, %v", at, info.Mode(), err)
			}
		}
	}
	one, other := write(t, f, "s-1", "", "x"), write(t, f, "s-1", "", "x")
	if one == other {
		t.Error("two texts in one file")
	}
	if filepath.Dir(one) == filepath.Dir(write(t, f, "s-2", "", "x")) {
		t.Error("two sessions in one folder")
	}
	elsewhere := spill.New(dir, "/work/other")
	if filepath.Dir(one) == filepath.Dir(write(t, elsewhere, "s-1", "", "x")) {
		t.Error("two projects in one folder")
	}
}

// A hint can't lead out of the folder, or make a name that is hard to type.
func TestSpillNames(t *testing.T) {
	f, dir, _ := newFolder(t)
	for hint, want := range map[string]string{
		"": "output", "go test ./...": "go-test", "../../etc/passwd": "etc-passwd", "/": "output", "-rf": "rf", "a\nb\x00c": "a-b-c",
		"ünï": "n", "日本": "output", strings.Repeat("x", 100): strings.Repeat("x", 40), strings.Repeat("x", 39) + "--y": strings.Repeat("x", 39),
	} {
		path := write(t, f, "", hint, "x")
		name := filepath.Base(path)
		if got := name[len("20260304T050607.000Z-") : len(name)-len("-0123456789.txt")]; got != want || filepath.Dir(filepath.Dir(path)) != dir {
			t.Errorf("%q: %s in %s, want %s", hint, got, path, want)
		}
	}
}

func TestSpillExpires(t *testing.T) {
	f, _, c := newFolder(t)
	f.Expiry = 10 * time.Hour
	old := write(t, f, "old", "", "x")
	c.pass(6 * time.Hour)
	young := write(t, f, "young", "", "x")
	c.pass(6 * time.Hour)
	last := write(t, f, "last", "", "x")
	if there(old) || there(filepath.Dir(old)) || !there(young) || !there(last) {
		t.Errorf("old %v (its folder %v), young %v, last %v", there(old), there(filepath.Dir(old)), there(young), there(last))
	}
}

func TestSpillQuota(t *testing.T) {
	f, dir, c := newFolder(t)
	f.MaxBytes, f.MaxFile = 1<<20, 400<<10
	text := strings.Repeat("x", 100<<10)
	var paths []string
	for i := range 40 {
		c.pass(time.Second)
		paths = append(paths, write(t, f, fmt.Sprint(i%3), "", text))
		if sum := bytesIn(t, dir); sum > f.MaxBytes {
			t.Fatalf("%d bytes after %d texts", sum, i+1)
		}
	}
	if !there(paths[39]) || there(paths[0]) || bytesIn(t, dir) < f.MaxBytes/2 {
		t.Errorf("the last is there: %v, the first: %v, bytes: %d", there(paths[39]), there(paths[0]), bytesIn(t, dir))
	}
	oldest := slices.IndexFunc(paths, there)
	if i := slices.IndexFunc(paths[oldest:], func(p string) bool { return !there(p) }); i >= 0 {
		t.Errorf("%d is gone, %d that is older isn't", oldest+i, oldest)
	}
	large := write(t, f, "", "", strings.Repeat("x", 400<<10))
	if sum := bytesIn(t, dir); sum > f.MaxBytes || !there(large) {
		t.Errorf("%d bytes after a large one", sum)
	}
	if _, err := f.Spill(context.Background(), "", "", strings.Repeat("x", 400<<10+1)); err == nil || !strings.Contains(err.Error(), "the text has 409601 bytes, more than the limit of 409600") {
		t.Error(err)
	}
}

// Texts of a few bytes count as well.
func TestSpillCount(t *testing.T) {
	f, dir, c := newFolder(t)
	f.MaxBytes = 512 << 10
	for range 200 {
		c.pass(time.Second)
		write(t, f, "", "", "x")
	}
	names, err := filepath.Glob(filepath.Join(dir, "*", "*.txt"))
	if err != nil || len(names) > 32 {
		t.Errorf("%d files, %v", len(names), err)
	}
}

func bytesIn(t *testing.T, dir string) (sum int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".txt") {
			info, e := d.Info()
			if err = e; err == nil {
				sum += info.Size()
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// Files of others stay, whatever their name and age, and no link is followed.
func TestSpillTakesNothingElse(t *testing.T) {
	f, dir, c := newFolder(t)
	old := write(t, f, "", "", "x")
	const name = "20200101T000000.000Z-output-abcdefghij.txt"
	outside := filepath.Join(t.TempDir(), "000000000000000000000000")
	ours := filepath.Dir(old)
	stays := []string{
		filepath.Join(outside, name),
		filepath.Join(dir, name),
		filepath.Join(dir, "notes", name),
		filepath.Join(dir, "ABCDEFABCDEFABCDEFABCDEF", name),
		filepath.Join(ours, "notes.txt"),
		filepath.Join(ours, "20200101T000000.000Z-out put-abcdefghij.txt"),
		filepath.Join(ours, "20200101T000000.000Z.txt"),
		filepath.Join(ours, "20209901T000000.000Z-output-abcdefghij.txt"),
		filepath.Join(ours, name+".bak"),
		filepath.Join(ours, name, "within"),
	}
	for _, path := range stays {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	gone := []string{old, filepath.Join(ours, "20200101T000000.000Z-a-b-abcdefghij.txt")}
	if err := os.WriteFile(gone[1], nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{filepath.Join(dir, "111111111111111111111111"): outside, filepath.Join(ours, "20200101T000000.000Z-link-abcdefghij.txt"): stays[0]} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
		stays = append(stays, link)
	}
	c.pass(1000 * time.Hour)
	write(t, f, "", "", "x")
	for _, path := range stays {
		if !there(path) {
			t.Errorf("%s is gone", path)
		}
	}
	for _, path := range gone {
		if there(path) {
			t.Errorf("%s is there", path)
		}
	}
}

func TestSpillInHostileFolders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mode says nothing here")
	}
	for name, test := range map[string]struct {
		spoil func(dir, session string) error
		want  string
	}{
		"a link":                {func(dir, _ string) error { return asLink(dir) }, "it is a link"},
		"others may write":      {func(dir, _ string) error { return os.Chmod(dir, 0o777) }, "lets others write"},
		"its group may write":   {func(dir, _ string) error { return os.Chmod(dir, 0o770) }, "lets others write"},
		"a file":                {func(dir, _ string) error { return asFile(dir) }, "not a directory"},
		"a session that is one": {func(_, session string) error { return asLink(session) }, "it is a link"},
		"a session that leads out": {func(_, session string) error {
			if err := os.RemoveAll(session); err != nil {
				return err
			}
			return os.Symlink(os.TempDir(), session)
		}, "path escapes"},
		"a session of all": {func(_, session string) error { return os.Chmod(session, 0o777) }, "lets others write"},
	} {
		t.Run(name, func(t *testing.T) {
			f, dir, _ := newFolder(t)
			session := filepath.Dir(write(t, f, "s", "", "x"))
			if err := test.spoil(dir, session); err != nil {
				t.Fatal(err)
			}
			path, err := f.Spill(context.Background(), "s", "", "x")
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%q, %v, want %s", path, err, test.want)
			}
		})
	}
}

// asLink renames a folder and puts a link to it in its place.
func asLink(dir string) error {
	if err := os.Rename(dir, dir+"-moved"); err != nil {
		return err
	}
	return os.Symlink(filepath.Base(dir)+"-moved", dir)
}

func asFile(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.WriteFile(dir, nil, 0o600)
}

// The file that counts what was written may hold anything, or be anything.
func TestSpillTally(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"gone":  os.Remove,
		"none":  func(path string) error { return os.WriteFile(path, []byte("hello"), 0o600) },
		"empty": func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"large": func(path string) error { return os.Truncate(path, 1<<40) },
		"later": func(path string) error { return os.WriteFile(path, []byte("2999-01-01T00:00:00Z\n"), 0o600) },
		"link": func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.Symlink("/dev/zero", path)
		},
	} {
		f, dir, c := newFolder(t)
		old := write(t, f, "", "", "x")
		if err := spoil(filepath.Join(dir, ".tally")); err != nil {
			t.Fatal(err)
		}
		c.pass(1000 * time.Hour)
		if path := write(t, f, "", "", "x"); there(old) || !there(path) {
			t.Errorf("%s: the old text is there: %v, the new one: %v", name, there(old), there(path))
		}
	}
}

func TestSpillEndsWithItsContext(t *testing.T) {
	f, dir, _ := newFolder(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f.Spill(ctx, "", "", "x"); err == nil || bytesIn(t, dir) > 0 {
		t.Error(err)
	}
}

// Many processes write at once, while the oldest texts are deleted.
func TestSpillOfManyProcesses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "spill")
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			cmd := exec.Command(binary)
			cmd.Env = append(os.Environ(), "SPILL_TEST_DIR="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	all.Wait()
	if sum := bytesIn(t, dir); sum == 0 || sum > 2<<20 {
		t.Errorf("%d bytes are left", sum)
	}
}

// spillMany is what the processes of TestSpillOfManyProcesses do.
func spillMany(dir string) int {
	f := spill.New(dir, "/work/shop")
	f.MaxBytes, f.MaxFile = 1<<20, 100<<10
	for i := range 40 {
		if _, err := f.Spill(context.Background(), fmt.Sprint(i%4), "", strings.Repeat("x", 50<<10)); err != nil {
			fmt.Println(err)
			return 1
		}
	}
	return 0
}

func BenchmarkSpill(b *testing.B) {
	f := spill.New(filepath.Join(b.TempDir(), "spill"), "/work/shop")
	text := strings.Repeat("x", 1<<20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := f.Spill(context.Background(), "s", "", text); err != nil {
			b.Fatal(err)
		}
	}
}
