package audit_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/audit"
)

const aKey = "0123456789abcdef"

func TestOpenFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	if files, err := audit.OpenFiles(dir); len(files) != 0 || err != nil {
		t.Errorf("without a folder: %v, %v", files, err)
	}
	l := open(t, dir, audit.Options{MaxBytes: 400, MaxFiles: 100})
	var keys []string // of the file that was current when a record was written
	for i := range 20 {
		appendTo(t, l, audit.Record{Kind: audit.KindNote, Text: fmt.Sprint(i)})
		files := openFiles(t, dir)
		keys = append(keys, keyOf(t, files[len(files)-1]))
	}
	files := openFiles(t, dir)
	if len(files) < 3 {
		t.Fatalf("%d files", len(files))
	}
	n := 20
	for i := len(files) - 1; i >= 0; i-- {
		f := files[i]
		text := make([]byte, f.Size())
		if _, err := f.ReadAt(text, 0); err != nil {
			t.Fatal(err)
		}
		lines := bytes.SplitAfter(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
		for k := len(lines) - 1; k >= 0; k-- {
			n--
			if e, ok := audit.ParseLine(lines[k]); !ok || e.Text != fmt.Sprint(n) {
				t.Errorf("%s has %q, want record %d", f.Name(), lines[k], n)
			}
			if key := keyOf(t, f); key != keys[n] || !regexp.MustCompile("^[0-9a-f]{16}$").MatchString(key) {
				t.Errorf("the key of %s is %q, was %q", f.Name(), key, keys[n])
			}
		}
		if info, err := f.Stat(); err != nil || info.Size() != f.Size() || f.Current() != (i == len(files)-1) {
			t.Errorf("%s: %v, %v, current: %t", f.Name(), info, err, f.Current())
		}
	}
	if err := files[0].Close(); err != nil {
		t.Error(err)
	}
	if _, err := files[0].ReadAt(make([]byte, 1), 0); err == nil {
		t.Error("a closed file is read")
	}
}

func openFiles(t *testing.T, dir string) []*audit.File {
	t.Helper()
	files, err := audit.OpenFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, f := range files {
			f.Close()
		}
	})
	return files
}

func keyOf(t *testing.T, f *audit.File) string {
	t.Helper()
	key, err := f.Key()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "some.jsonl")
	key := func(text string) string {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := audit.OpenPath(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		return keyOf(t, f)
	}
	const record = `{"time":"2026-05-04T08:00:00Z","v":1}`
	long := strings.Repeat("x", audit.MaxLine)
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{record + "\n", record + "\nmore\n", true},
		{record, record + "\n", true}, // whoever wrote it was killed before the end of the line
		{record + "\n", record + " \n", false},
		{"", record[:20], true},
		{long + "a", long + "b\n" + record, true},
		{long[1:] + "\n", long[2:] + "\n", false},
	} {
		if a, b := key(c.a), key(c.b); (a == b) != c.same {
			t.Errorf("keys %q and %q of %.50q and %.50q", a, b, c.a, c.b)
		}
	}
	if got := key(record[:20]); got != "" {
		t.Errorf("half a line gives the key %q", got)
	}
	for _, path := range []string{filepath.Dir(path), path + ".none"} {
		if f, err := audit.OpenPath(path); err == nil {
			t.Errorf("%s is opened", f.Name())
		}
	}
}

func TestIndexFiles(t *testing.T) {
	dir := t.TempDir()
	there := func() bool { return true }
	write := func(key, text string, there func() bool) {
		t.Helper()
		if err := audit.WriteIndex(context.Background(), dir, key, []byte(text), there); err != nil {
			t.Fatal(err)
		}
	}
	read := func(want string) {
		t.Helper()
		if text, err := audit.ReadIndex(dir, aKey, 10); err != nil || string(text) != want {
			t.Errorf("ReadIndex = %q, %v, want %q", text, err, want)
		}
	}
	read("")
	write(aKey, "first", there)
	read("first")
	write(aKey, "second", there)
	read("second")
	write(aKey, "third", func() bool { return false })
	read("second")
	if _, err := audit.ReadIndex(dir, aKey, 5); err == nil {
		t.Error("one that is too large is read")
	}
	for _, key := range []string{"", "../../escape1234", strings.Repeat("a", 15), strings.Repeat("A", 16)} {
		if err := audit.WriteIndex(context.Background(), dir, key, nil, there); err == nil {
			t.Errorf("a file of the key %q is written", key)
		}
		if _, err := audit.ReadIndex(dir, key, 10); err == nil {
			t.Errorf("a file of the key %q is read", key)
		}
	}
	appendTo(t, open(t, dir, audit.Options{}), audit.Record{Kind: audit.KindNote, Text: "x"})
	if files, _, err := audit.Size(dir); files != 1 || err != nil {
		t.Errorf("Size counts %d files, %v", files, err)
	}
	if got := texts(t, dir, audit.Filter{}); !slices.Equal(got, []string{"x"}) {
		t.Errorf("Read gives %q", got)
	}
	path := filepath.Join(dir, "decisions-"+aKey+".index")
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}

	// Of others only those are kept that are wanted, and that are being written.
	write(strings.Repeat("f", 16), "old", there)
	begun, left := path+".17.new", path+".18.new"
	others := []string{"decisions-x.index", "decisions-" + aKey + ".indexes", "decisions-" + aKey + ".index.new.old", aKey + ".index"}
	for _, name := range append(others, filepath.Base(begun), filepath.Base(left)) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(left, time.Now(), time.Now().Add(-2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := audit.RemoveIndexes(dir, func(key string) bool { return key == aKey }); err != nil {
		t.Fatal(err)
	}
	stays := append([]string{"decisions.jsonl", "decisions.lock", filepath.Base(path)}, others...)
	if got := names(t, dir); !slices.Equal(got, sorted(append(stays, filepath.Base(begun)))) {
		t.Errorf("after RemoveIndexes: %q", got)
	}
	if files, _, err := audit.Purge(dir); files != 1 || err != nil {
		t.Errorf("Purge: %d files, %v", files, err)
	}
	if got := names(t, dir); !slices.Equal(got, sorted(append(others, "decisions.lock"))) {
		t.Errorf("after Purge: %q", got)
	}
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// What is written while the log is purged isn't there afterwards.
func TestIndexFileOfAPurgedLog(t *testing.T) {
	dir := t.TempDir()
	appendTo(t, open(t, dir, audit.Options{}), audit.Record{Kind: audit.KindNote, Text: "x"})
	unlock, err := lockOf(filepath.Join(dir, "decisions.lock"))
	if err != nil {
		t.Fatal(err)
	}
	waits := make(chan error)
	go func() {
		waits <- audit.WriteIndex(context.Background(), dir, aKey, []byte("x"), func() bool {
			_, err := os.Stat(filepath.Join(dir, "decisions.jsonl"))
			return err == nil
		})
	}()
	for len(names(t, dir)) < 3 { // it has begun
		runtime.Gosched()
	}
	if err := os.Remove(filepath.Join(dir, "decisions.jsonl")); err != nil {
		t.Fatal(err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if err := <-waits; err != nil {
		t.Error(err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"decisions.lock"}) {
		t.Errorf("there are %q", got)
	}
}

func TestIndexFilesOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing here")
	}
	dir := t.TempDir()
	if err := audit.WriteIndex(context.Background(), dir, aKey, []byte("x"), nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "decisions-"+aKey+".index"), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := audit.ReadIndex(dir, aKey, 10); err == nil {
		t.Errorf("one that others may write to says %q", text)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := audit.WriteIndex(context.Background(), dir, aKey, []byte("x"), nil); err == nil {
		t.Error("one is written to a folder that others may write to")
	}
	if files, err := audit.OpenFiles(dir); err == nil {
		t.Errorf("%d files are opened in a folder that others may write to", len(files))
	}
	if _, err := io.ReadAll(io.NewSectionReader(&audit.File{}, 0, 1)); err == nil {
		t.Error("a file that wasn't opened is read")
	}
}
