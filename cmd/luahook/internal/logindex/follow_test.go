package logindex_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/internal/redact"
)

// Several writers, whose files are put away all the time: every record comes, once, and keeps its name.
func TestFollow(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "yet")
	x, _ := run(t, dir, logindex.Options{Keep: dir})
	const writers, each = 4, 500
	var all sync.WaitGroup
	for w := range writers {
		l, err := audit.Open(dir, audit.Options{Redactor: redact.New(nil), MaxBytes: 20_000, MaxFiles: 1000, Wait: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			defer l.Close()
			for n := range each {
				if err := l.Append(context.Background(), audit.Record{Kind: audit.KindNote, Note: "n", Session: fmt.Sprintf("w%d-%d", w, n)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	// A record that was seen early is found later.
	early := until(t, x, func(v *logindex.View) bool { return v.Len() > 10 })
	name, ref := early.Name(early.Row(3).Session), early.Ref(3)
	all.Wait()
	v := until(t, x, has(writers*each))
	seen := map[string]bool{}
	for i, s := range sessions(v) {
		if seen[s] {
			t.Errorf("%s is there twice", s)
		}
		seen[s] = true
		if e, err := v.Read(i); err != nil || e.Session != s {
			t.Fatalf("Read(%d) = %q, %v, want %q", i, e.Session, err, s)
		}
	}
	if len(seen) != writers*each || v.Broken() != 0 || v.Err() != nil {
		t.Errorf("%d records, %d broken lines, %v", len(seen), v.Broken(), v.Err())
	}
	if i, ok := v.Find(ref); !ok || v.Name(v.Row(i).Session) != name {
		t.Errorf("Find(%s) = %d, %t, want %s", ref, i, ok, name)
	}
	if done, total := v.Progress(); done != total {
		t.Errorf("Progress() = %d, %d", done, total)
	}
	var order []string // as audit.Read has it
	if _, err := audit.Read(dir, audit.Filter{}, func(e audit.Entry) bool { order = append(order, e.Session); return true }); err != nil || !slices.Equal(order, sessions(v)) {
		t.Errorf("the order isn't that of audit.Read, %v", err)
	}
}

// Half a line waits for its other half.
func TestHalfALine(t *testing.T) {
	for _, folder := range []bool{true, false} {
		dir := t.TempDir()
		file := filepath.Join(dir, "decisions.jsonl")
		whole := line("s2", 2)
		write(t, file, lines(0, 2), whole[:30])
		path := file
		if folder {
			path = dir
		}
		x, stop := run(t, path, logindex.Options{})
		v := until(t, x, has(2))
		if v.Broken() != 0 {
			t.Errorf("folder: %t: half a line is a broken one", folder)
		}
		appendTo(t, file, whole[30:60])
		appendTo(t, file, whole[60:])
		until(t, x, has(3))
		appendTo(t, file, strings.TrimSuffix(line("s3", 3), "\n")) // its end comes later
		until(t, x, has(4))
		appendTo(t, file, "\n"+lines(4, 6))
		v = until(t, x, has(6))
		want(t, v, 0, 6)
		if v.Broken() != 0 {
			t.Errorf("folder: %t: %d broken lines", folder, v.Broken())
		}
		// The process is killed, and the file put away: half a line is a broken one.
		if folder {
			appendTo(t, file, whole[:30])
			rename(t, file, filepath.Join(dir, "decisions-20260504-080000.000000.jsonl"))
			write(t, file, lines(6, 7))
			v = until(t, x, has(7))
			want(t, v, 0, 7)
			if v.Broken() != 1 {
				t.Errorf("%d broken lines, want 1", v.Broken())
			}
		}
		stop()
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// A log may come in any size between two looks at it.
func TestGrowth(t *testing.T) {
	file := filepath.Join(t.TempDir(), "some.jsonl")
	x, err := logindex.Open(filepath.Dir(file), logindex.Options{})
	if err != nil || x.View() == nil || x.View().Len() != 0 {
		t.Fatalf("before Run: %v", err)
	}
	write(t, file)
	x, _ = run(t, file, logindex.Options{})
	n := 0
	for _, more := range []int{1, 1, 7, 3000, 1, 20000, 2, 2} {
		appendTo(t, file, lines(n, n+more))
		n += more
		want(t, until(t, x, has(n)), 0, n)
	}
}

func TestPurge(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "decisions.jsonl")
	write(t, filepath.Join(dir, "decisions-20260504-080000.000000.jsonl"), lines(0, 3))
	write(t, file, lines(3, 5))
	x, stop := run(t, dir, logindex.Options{Keep: dir})
	old := until(t, x, has(5))
	want(t, old, 0, 5)
	ref := old.Ref(4)
	if files, _, err := audit.Purge(dir); files != 2 || err != nil {
		t.Fatalf("Purge: %d files, %v", files, err)
	}
	v := until(t, x, has(0))
	if _, ok := v.Find(ref); ok {
		t.Error("a record that was purged is found")
	}
	if _, err := old.Read(4); err == nil {
		t.Error("a record that was purged is read")
	}
	write(t, file, lines(5, 6))
	v = until(t, x, has(1))
	want(t, v, 5, 6)
	if _, _, err := audit.Purge(dir); err != nil {
		t.Fatal(err)
	}
	stop() // at once: what it keeps at its end must not be of what was purged
	if left := indexFiles(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// indexFiles are the files beside the log.
func indexFiles(t testing.TB, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "*.index*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestOldestGoes(t *testing.T) {
	dir := t.TempDir()
	oldest := filepath.Join(dir, "decisions-20260504-080000.000000.jsonl")
	write(t, oldest, lines(0, 3))
	write(t, filepath.Join(dir, "decisions-20260504-090000.000000.jsonl"), lines(3, 5))
	write(t, filepath.Join(dir, "decisions.jsonl"), lines(5, 6))
	x, stop := run(t, dir, logindex.Options{Keep: dir})
	v := until(t, x, has(6))
	gone, stays := v.Ref(0), v.Ref(3)
	stop()
	if left := indexFiles(t, dir); len(left) != 3 {
		t.Fatalf("index files: %v", left)
	}
	x, stop = run(t, dir, logindex.Options{Keep: dir})
	until(t, x, has(6))
	if err := os.Remove(oldest); err != nil {
		t.Fatal(err)
	}
	v = until(t, x, has(3))
	want(t, v, 3, 6)
	if _, ok := v.Find(gone); ok {
		t.Error("a record of a file that has gone is found")
	}
	if i, ok := v.Find(stays); !ok || i != 0 {
		t.Errorf("Find(%s) = %d, %t, want 0", stays, i, ok)
	}
	stop()
	if left := indexFiles(t, dir); len(left) != 2 {
		t.Errorf("index files: %v", left)
	}
}

func TestOverwritten(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, file string){
		"truncated":           func(t *testing.T, file string) { write(t, file, lines(7, 9)) },
		"truncated and grown": func(t *testing.T, file string) { write(t, file, lines(7, 9), lines(7, 300)) },
		"of the same size":    func(t *testing.T, file string) { write(t, file, strings.ReplaceAll(lines(0, 100), `"s`, `"t`)) },
		"replaced": func(t *testing.T, file string) {
			write(t, file+".new", lines(7, 9))
			rename(t, file+".new", file)
		},
	} {
		for _, folder := range []bool{true, false} {
			dir := t.TempDir()
			file := filepath.Join(dir, "decisions.jsonl")
			write(t, file, lines(0, 100))
			path := file
			if folder {
				path = dir
			}
			x, stop := run(t, path, logindex.Options{Keep: dir})
			old := until(t, x, has(100))
			change(t, file)
			if stamp := time.Now().Add(time.Second); os.Chtimes(file, stamp, stamp) != nil { // clocks of files are coarse
				t.Fatal("the time can't be changed")
			}
			var there []string
			if _, err := audit.Read(dir, audit.Filter{}, func(e audit.Entry) bool { there = append(there, e.Session); return true }); err != nil {
				t.Fatal(err)
			}
			v := until(t, x, func(v *logindex.View) bool { return v.Err() == nil && slices.Equal(sessions(v), there) })
			if e, err := v.Read(1); err != nil || e.Session != there[1] {
				t.Errorf("%s, folder: %t: Read(1) = %q, %v", name, folder, e.Session, err)
			}
			if e, err := old.Read(50); err == nil {
				t.Errorf("%s, folder: %t: the old view reads %q", name, folder, e.Session)
			}
			stop()
			x, _ = run(t, path, logindex.Options{Keep: dir})
			until(t, x, func(v *logindex.View) bool { return slices.Equal(sessions(v), there) })
		}
	}
}

// A file that goes may come again.
func TestGoneAndBack(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "some.jsonl")
	write(t, file, lines(0, 3))
	x, _ := run(t, file, logindex.Options{})
	until(t, x, has(3))
	rename(t, file, file+".old")
	until(t, x, has(0))
	rename(t, file+".old", file)
	want(t, until(t, x, has(3)), 0, 3)
}

// However much comes at once, what a view has had stays: newer records never show while some before them are missing.
func TestBursts(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "decisions.jsonl")
	write(t, file, lines(0, 100))
	x, _ := run(t, dir, logindex.Options{})
	first := until(t, x, has(100)).Ref(99)
	n := 100
	for range 5 {
		const burst = 20_000 // several parts
		appendTo(t, file, lines(n, n+burst))
		n += burst
		before := 0
		until(t, x, func(v *logindex.View) bool {
			if at, ok := v.Find(first); !ok || at != 99 || v.Len() < before {
				t.Fatalf("a view of %d records after one of %d has %s at %d, %v", v.Len(), before, first, at, ok)
			}
			before = v.Len()
			return v.Len() == n
		})
	}
	want(t, x.View(), 0, n)
}
