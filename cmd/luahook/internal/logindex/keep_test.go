package logindex_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
)

// kept makes a log with its index file.
func kept(t *testing.T, lines ...string) (dir, file, index string, refs []logindex.Ref) {
	t.Helper()
	dir = t.TempDir()
	file = filepath.Join(dir, "decisions.jsonl")
	write(t, file, lines...)
	x, stop := run(t, dir, logindex.Options{Keep: dir})
	v := until(t, x, func(v *logindex.View) bool {
		done, total := v.Progress()
		return done == total && total > 0
	})
	for i := range v.Len() {
		refs = append(refs, v.Ref(i))
	}
	stop()
	left := indexFiles(t, dir)
	if len(left) != 1 {
		t.Fatalf("index files: %v", left)
	}
	if info, err := os.Stat(left[0]); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the index file: %v, %v", info.Mode(), err)
	}
	return dir, file, left[0], refs
}

// What has an index file isn't read again, only what has come since. Refs stay.
func TestKept(t *testing.T) {
	dir, file, index, refs := kept(t, lines(0, 400))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// Nobody writes in the middle of a log. Here it shows where a row comes from.
	write(t, file, strings.Replace(string(text), `"s150"`, `"read"`, 1), lines(400, 402))
	x, stop := run(t, dir, logindex.Options{Keep: dir})
	v := until(t, x, has(402))
	want(t, v, 0, 402)
	for i, ref := range refs {
		if k, ok := v.Find(ref); !ok || k != i {
			t.Fatalf("Find(%s) = %d, %t, want %d", ref, k, ok, i)
		}
	}
	stop()

	// The file is put away as a full one, and the index made anew.
	rename(t, file, filepath.Join(dir, "decisions-20260504-080000.000000.jsonl"))
	write(t, file, lines(402, 404))
	for _, keep := range []string{dir, "", filepath.Join(t.TempDir(), "nowhere")} {
		if keep == dir {
			x, stop = run(t, dir, logindex.Options{Keep: keep})
			want(t, until(t, x, has(404)), 0, 404)
			stop()
			continue
		}
		x, stop = run(t, dir, logindex.Options{Keep: keep})
		v := until(t, x, has(404))
		if got := v.Name(v.Row(150).Session); got != "read" {
			t.Errorf("row 150, read again: %q", got)
		}
		for i, ref := range refs {
			if k, ok := v.Find(ref); !ok || k != i {
				t.Fatalf("Find(%s) = %d, %t, want %d", ref, k, ok, i)
			}
		}
		stop()
	}
	if left := indexFiles(t, dir); len(left) != 2 || !slices.Contains(left, index) {
		t.Errorf("index files: %v", left)
	}
}

// A file of which a part isn't there any more, or is another one, has no index file.
func TestKeptOfAnother(t *testing.T) {
	for name, text := range map[string]string{
		"shorter":       lines(0, 300),
		"another end":   lines(0, 399) + line("read", 399),
		"nothing":       "",
		"another begin": line("read", 0) + lines(1, 400),
	} {
		dir, file, _, _ := kept(t, lines(0, 400))
		write(t, file, text)
		x, stop := run(t, dir, logindex.Options{Keep: dir})
		v := until(t, x, has(strings.Count(text, "\n")))
		for i, s := range sessions(v) {
			if e, err := v.Read(i); err != nil || e.Session != s {
				t.Fatalf("%s: Read(%d) = %q, %v, want %q", name, i, e.Session, err, s)
			}
		}
		stop()
	}
}

// sealed gives a text the checksum of an index file.
func sealed(b []byte) []byte {
	n := len(b) - 4
	binary.LittleEndian.PutUint32(b[n:], crc32.Checksum(b[:n], crc32.MakeTable(crc32.Castagnoli)))
	return b
}

// An index file that isn't right is made anew without a word.
func TestKeptIsBroken(t *testing.T) {
	dir, _, index, refs := kept(t, lines(0, 400))
	good, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{
		"empty":             nil,
		"a part":            good[:len(good)/2],
		"without its end":   good[:len(good)-1],
		"too long":          append(bytes.Clone(good), 0),
		"a bit differs":     flipped(good, len(good)/2),
		"of a file of logs": []byte(lines(0, 400)),
		"of zeros":          make([]byte, len(good)),
		"too large":         make([]byte, 3<<20),
		"another version":   sealed(bytes.Replace(good, []byte("luahook index 1"), []byte("luahook index 2"), 1)),
		"of another file":   sealed(flipped(good, 20)),
	} {
		if err := os.WriteFile(index, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		x, stop := run(t, dir, logindex.Options{Keep: dir})
		v := until(t, x, has(400))
		want(t, v, 0, 400)
		if k, ok := v.Find(refs[77]); !ok || k != 77 {
			t.Errorf("%s: Find = %d, %t", name, k, ok)
		}
		stop()
		if again, err := os.ReadFile(index); err != nil || !bytes.Equal(again, good) {
			t.Errorf("%s: it wasn't made anew: %d bytes, want %d, %v", name, len(again), len(good), err)
		}
	}
}

func flipped(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[at] ^= 1
	return b
}

// One that others may write to, or that is a link, isn't read.
func TestKeptOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes don't say there who may write")
	}
	dir, file, index, _ := kept(t, lines(0, 400))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, strings.Replace(string(text), `"s150"`, `"read"`, 1))
	if err := os.Chmod(index, 0o666); err != nil {
		t.Fatal(err)
	}
	x, stop := run(t, dir, logindex.Options{Keep: dir})
	v := until(t, x, has(400))
	if got := v.Name(v.Row(150).Session); got != "read" {
		t.Errorf("row 150 is of the index file that others may write to: %q", got)
	}
	stop()

	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	x, stop = run(t, dir, logindex.Options{Keep: dir})
	v = until(t, x, func(v *logindex.View) bool { return v.Err() != nil })
	if v.Len() > 0 || !strings.Contains(v.Err().Error(), "lets others write") {
		t.Errorf("a folder that others may write to: %d records, %v", v.Len(), v.Err())
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	until(t, x, has(400)) // as soon as that is mended
	stop()
}

// Index files say nothing of other files of the log.
func TestKeptApart(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "decisions-20260504-080000.000000.jsonl"), line("first-session", 0))
	write(t, filepath.Join(dir, "decisions.jsonl"), line("second-session", 1))
	x, stop := run(t, dir, logindex.Options{Keep: dir})
	until(t, x, has(2))
	stop()
	for _, path := range indexFiles(t, dir) {
		text, err := os.ReadFile(path)
		if err != nil || bytes.Contains(text, []byte("first-session")) == bytes.Contains(text, []byte("second-session")) {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
}

// An index file that is larger than its log can have isn't read.
func TestKeptIsTooLarge(t *testing.T) {
	dir, file, index, _ := kept(t, lines(0, 400))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, strings.Replace(string(text), `"s150"`, `"read"`, 1))
	// It is right, but for many names that nothing refers to.
	good, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	names := bytes.LastIndex(good, append(binary.LittleEndian.AppendUint32(nil, 402), 0, 0, 0, 0))
	if names < 0 {
		t.Fatal("where are the names?")
	}
	const more = 6000
	bad := append(bytes.Clone(good[:names]), binary.LittleEndian.AppendUint32(nil, 402+more)...)
	bad = append(bad, good[names+4:len(good)-4]...)
	for range more {
		bad = append(append(bad, 0, 4, 0, 0), strings.Repeat("n", 1024)...)
	}
	if err := os.WriteFile(index, sealed(append(bad, 0, 0, 0, 0)), 0o600); err != nil {
		t.Fatal(err)
	}
	x, _ := run(t, dir, logindex.Options{Keep: dir})
	v := until(t, x, has(400))
	if got := v.Name(v.Row(150).Session); got != "read" {
		t.Errorf("row 150 is of an index file of %d bytes: %q", len(bad), got)
	}
}

// What isn't what the row says isn't read.
func TestReadHoldsAgainstTheRow(t *testing.T) {
	dir, file, _, _ := kept(t, lines(0, 400))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, strings.Replace(string(text), line("s100", 100), line("t100", 500), 1))
	x, _ := run(t, dir, logindex.Options{Keep: dir})
	v := until(t, x, has(400))
	if e, err := v.Read(100); err == nil {
		t.Errorf("Read(100) = %q at %v", e.Session, e.Time)
	}
	if e, err := v.Read(101); err != nil || e.Session != "s101" {
		t.Errorf("Read(101) = %q, %v", e.Session, err)
	}
}
