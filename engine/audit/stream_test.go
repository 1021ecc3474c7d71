package audit_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/audit"
)

// collector reads a stream when it is let.
type collector struct {
	mu   sync.Mutex // held while it reads nothing
	text bytes.Buffer
}

func (c *collector) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.Write(p)
}

func stream(t *testing.T, w io.Writer) *audit.Log {
	t.Helper()
	l, err := audit.NewStream(w, audit.Options{Wait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A record is a line, redacted as in the files, and is out when Append returns.
func TestStream(t *testing.T) {
	var out collector
	l, err := audit.NewStream(&out, audit.Options{Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Append(t.Context(), audit.Record{Kind: audit.KindNote, Text: "password=hunter2hunter2"}); err != nil {
		t.Fatal(err)
	}
	out.mu.Lock()
	text := out.text.String()
	out.mu.Unlock()
	if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "}\n") || strings.Contains(text, "hunter2") || !strings.Contains(text, "redacted") {
		t.Errorf("it has written %q", text)
	}
	for range 2 { // and it may be used again
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if err := l.Append(t.Context(), audit.Record{Kind: audit.KindNote}); err != nil {
			t.Error(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if n := strings.Count(out.text.String(), "\n"); n != 3 {
		t.Errorf("%d lines, want 3", n)
	}
}

// A reader that has stopped keeps nobody waiting. What it has missed is counted where it goes on.
func TestStreamThatNobodyReads(t *testing.T) {
	var out collector
	l := stream(t, &out)
	out.mu.Lock()
	record := audit.Record{Kind: audit.KindNote, Text: strings.Repeat("x ", 50<<10)}
	kept, lost := 0, 0
	for lost < 5 && kept < 100_000 {
		if err := l.Append(t.Context(), record); err != nil {
			lost++
		} else {
			kept++
		}
	}
	if lost < 5 || kept < 10 {
		t.Errorf("%d are lost, %d wait", lost, kept)
	}
	out.mu.Unlock()
	for l.Append(t.Context(), audit.Record{Kind: audit.KindNote, Text: "after"}) != nil { // until there is room
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	text := out.text.String()
	if n := strings.Count(text, "x x x"); strings.Count(text, "\n") < kept+2 || n == 0 || !strings.Contains(text, "records are missing here") {
		t.Errorf("%d lines, want %d", strings.Count(text, "\n"), kept+2)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestStreamThatBreaks(t *testing.T) {
	l, err := audit.NewStream(broken{}, audit.Options{Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Append(t.Context(), audit.Record{Kind: audit.KindNote}); err == nil {
		t.Error("nothing is said of a record that couldn't be written")
	}
	if err := l.Close(); err == nil {
		t.Error("nor at the end")
	}
	if _, err := audit.NewStream(nil, audit.Options{}); err == nil {
		t.Error("a stream to nowhere")
	}
}
