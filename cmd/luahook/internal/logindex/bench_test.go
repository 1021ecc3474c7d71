package logindex_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/cmd/luahook/internal/logindex/logindextest"
)

// large is a log of a million records, or as many as the benchmarks are to be made with.
func large(b *testing.B) (dir string, records int) {
	records = 1_000_000
	if testing.Short() {
		records = 50_000
	}
	dir = filepath.Join(os.TempDir(), "luahook-logindex-bench")
	path := filepath.Join(dir, "decisions.jsonl")
	want := int64(len(logindextest.Line(nil, records-1, false)))
	if info, err := os.Stat(path); err == nil && info.Size() > want*int64(records)*9/10 && info.Size() < want*int64(records)*11/10 {
		return dir, records
	}
	if err := logindextest.Write(dir, records); err != nil {
		b.Fatal(err)
	}
	return dir, records
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

func opening(b *testing.B, dir string, records int, o logindex.Options) {
	var first, whole time.Duration
	var used float64
	for b.Loop() {
		before := heap()
		begun := time.Now()
		x, stop := run(b, dir, o)
		until(b, x, func(v *logindex.View) bool { return v.Len() >= 100 })
		first += time.Since(begun)
		v := until(b, x, has(records))
		whole += time.Since(begun)
		used = heap() - before
		stop()
		runtime.KeepAlive(v)
	}
	b.ReportMetric(first.Seconds()/float64(b.N)*1000, "ms/first")
	b.ReportMetric(whole.Seconds()/float64(b.N)*1000, "ms/whole")
	b.ReportMetric(used, "MiB")
}

// To repeat: go test -run '^$' -bench . -benchtime 3x ./cmd/luahook/internal/logindex (a million records, 1 GB in the
// temporary folder; -short makes do with 50,000)
func BenchmarkCold(b *testing.B) {
	dir, records := large(b)
	opening(b, dir, records, logindex.Options{})
}

func BenchmarkWarm(b *testing.B) {
	dir, records := large(b)
	x, stop := run(b, dir, logindex.Options{Keep: dir})
	until(b, x, has(records))
	stop()
	opening(b, dir, records, logindex.Options{Keep: dir})
}

func BenchmarkView(b *testing.B) {
	dir, records := large(b)
	x, _ := run(b, dir, logindex.Options{})
	v := until(b, x, has(records))
	search := func(name string, q logindex.Query, want int) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				found, from := 0, v.Len()
				for more := true; more; {
					p, err := v.Search(context.Background(), q, from, 100)
					if err != nil {
						b.Fatal(err)
					}
					found += len(p.Rows)
					from, more = p.Next, p.More
				}
				if found != want {
					b.Fatalf("found %d, want %d", found, want)
				}
			}
		})
	}
	search("column", logindex.Query{Session: v.Name(v.Row(0).Session), Tool: "grep", Hook: "conventions", Decision: "deny"}, 0)
	search("hook", logindex.Query{Hook: "conventions", Decision: "allow"}, 0)
	search("text without a match", logindex.Query{Text: "nothing of the kind"}, 0)
	search("text with a match", logindex.Query{Text: "needle in a"}, 1)
	b.Run("walk", func(b *testing.B) {
		for b.Loop() {
			var spent uint64
			for i := range v.Len() {
				for _, r := range v.Row(i).Runs {
					spent += uint64(r.DurationUS)
				}
			}
			if spent == 0 {
				b.Fatal("no run took any time")
			}
		}
	})
}
