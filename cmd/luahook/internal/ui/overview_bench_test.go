package ui

import (
	"context"
	"testing"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/cmd/luahook/internal/logindex/logindextest"
)

// BenchmarkOverview counts a log of a million records; of 50,000 with -short.
func BenchmarkOverview(b *testing.B) {
	records := 1_000_000
	if testing.Short() {
		records = 50_000
	}
	dir := b.TempDir()
	if err := logindextest.Write(dir, records); err != nil {
		b.Fatal(err)
	}
	s := newServer(b, dir, "")
	v := s.Index.View()
	newest := newest(v)
	hour := window(ranges[0].length, newest, time.UTC)
	for name, q := range map[string]logindex.Query{
		"all": {}, "hour": {Since: time.UnixMilli(hour.bounds[0]), Until: time.UnixMilli(hour.bounds[hour.len()])}, "host": {Host: "codex"},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := sumOf(context.Background(), v, q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	page := func(name string, again bool) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if !again {
					s.overviews.view = nil
				}
				get(b, s, "overview")
			}
		})
	}
	page("page", false)
	page("reload", true)
}
