package ui

import (
	"context"
	"log/slog"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/cmd/luahook/internal/logindex/logindextest"
)

// BenchmarkPages opens a log of a million records, 50,000 with -short, and asks for each page: cold for the first page
// and the whole index, warm with the index that was kept, and then each page. To repeat, with 2 GB in the temporary
// folder:
//
//	go test -run '^$' -bench Pages -benchtime 5x ./cmd/luahook/internal/ui
func BenchmarkPages(b *testing.B) {
	records := 1_000_000
	if testing.Short() {
		records = 50_000
	}
	dir := b.TempDir()
	if err := logindextest.Write(dir, records); err != nil {
		b.Fatal(err)
	}
	template := newServer(b, "log", "")
	open := func(b *testing.B, keep string) {
		for b.Loop() {
			begun := time.Now()
			index, err := logindex.Open(dir, logindex.Options{Keep: keep})
			if err != nil {
				b.Fatal(err)
			}
			ctx, stop := context.WithCancel(context.Background())
			ended := make(chan error, 1)
			go func() { ended <- index.Run(ctx) }()
			o := template.Options
			o.Index, o.Logger = index, slog.New(slog.DiscardHandler)
			s, err := New(o)
			if err != nil {
				b.Fatal(err)
			}
			for len(rowsOf(get(b, s, "now"))) < pageRows {
				<-index.View().Newer()
			}
			first := time.Since(begun)
			v := indexed(b, index)
			b.ReportMetric(first.Seconds()*1000, "ms/first-page")
			b.ReportMetric(time.Since(begun).Seconds()*1000, "ms/whole")
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "MiB/heap")
			stop()
			if err := <-ended; err != nil {
				b.Fatal(err)
			}
			runtime.KeepAlive(v)
		}
	}
	b.Run("open cold", func(b *testing.B) { open(b, "") })
	b.Run("open warm", func(b *testing.B) { open(b, dir) })

	o := newServer(b, dir, "").Options
	v := o.Index.View()
	middle, session := string(v.Ref(records/2)), url.QueryEscape(v.Name(v.Row(records/2).Session))
	for _, page := range []struct{ name, path, want string }{
		{"now", "now", "pre_tool_call"},
		{"older", "now?before=" + middle, "pre_tool_call"},
		{"filter, common", "now?decision=deny", "deny"},
		{"filter, a session", "now?session=" + session, "pre_tool_call"},
		{"filter, none pass", "now?decision=allow&tool=grep&host=gemini", "No record passes"},
		{"text, common", "now?text=cart", "cart"},
		{"text, one passes", "now?text=" + url.QueryEscape(logindextest.Needle), "haystack"},
		{"record", "record?ref=" + middle, "step by step"},
		{"overview", "overview", "Decisions over time"},
		{"sessions", "sessions", "session"},
		{"session", "session?id=" + session, "session"},
		{"hooks", "hooks", "safety-guard"},
	} {
		b.Run(page.name, func(b *testing.B) {
			for b.Loop() {
				s, err := New(o) // which has kept nothing of an earlier page
				if err != nil {
					b.Fatal(err)
				}
				path := page.path
				for { // a search by text ends after a second, with a link to go on
					text := get(b, s, path)
					if strings.Contains(text, page.want) {
						break
					}
					more := links(text, `[^"]*before=[^"]*`)
					if len(more) == 0 {
						b.Fatalf("%s: no %q", page.path, page.want)
					}
					path = more[0]
				}
			}
		})
	}
}
