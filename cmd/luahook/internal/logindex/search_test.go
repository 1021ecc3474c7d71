package logindex_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// varied are records of few different names, so that filters let some pass.
func varied(n int) []audit.Record {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	var out []audit.Record
	for i := range n {
		record := audit.Record{
			Time: time.Date(2026, 5, 4, 8, 0, r.IntN(5000), 0, time.UTC), V: 1, Kind: audit.KindDecision,
			Event: hooks.Event(pick("pre_tool_call", "post_tool_call", "stop")), Session: pick("s1", "s2", "s3", ""), Agent: pick("main", "sub", ""),
			Host: pick("claude", "codex", ""), Project: pick("/a", "/b", ""), Tool: pick("bash", "read", ""), Decision: pick("", "", "allow", "ask", "deny"),
			Text: pick("", "", `say "hello" C:\temp a/b`, "Grün ist die Hoffnung", "tab\there", "x < y && z > 1", "ctrl\x01here", "line one\nline two"),
		}
		switch r.IntN(6) {
		case 0:
			record.Kind, record.Hook, record.Note, record.Decision = audit.KindNote, pick("error-logger", "a"), "n", ""
		case 1:
			record.Kind, record.Decision = audit.KindRun, ""
		}
		if record.Decision == "deny" || record.Decision == "ask" {
			record.Reason = pick("No (g: one)", "No (g: two)")
		}
		for range r.IntN(3) {
			record.Runs = append(record.Runs, audit.Run{Hook: pick("a", "b", "c"), Scope: "user", Status: pick("completed", "failed", "blocked")})
		}
		if r.IntN(3) == 0 {
			record.Input = map[string]any{"command": fmt.Sprintf("make target-%d", i), "session": []any{map[string]any{"deep": pick("FOUND me", "nothing")}}}
		}
		out = append(out, record)
	}
	return out
}

// texts reports whether a value, as JSON decodes it, has a text.
func texts(v any, wanted string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(lower(v), lower(wanted))
	case map[string]any:
		for _, e := range v {
			if texts(e, wanted) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return texts(e, wanted) })
	}
	return false
}

func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// wants is what Query says, in another way.
func wants(q logindex.Query, e *audit.Entry) bool {
	f := audit.Filter{Session: q.Session, Event: q.Event, Decision: q.Decision, Hook: q.Hook, Kind: audit.Kind(q.Kind), Since: q.Since}
	var all any
	_ = json.Unmarshal(e.Line, &all)
	return f.Wants(&e.Record) && (q.Agent == "" || e.Agent == q.Agent) && (q.Host == "" || e.Host == q.Host) && (q.Project == "" || e.Project == q.Project) &&
		(q.Tool == "" || e.Tool == q.Tool) && (q.Rule == "" || strings.HasSuffix(e.Reason, "("+q.Rule+")")) &&
		(!q.Failed || slices.ContainsFunc(e.Runs, func(r audit.Run) bool { return r.Status == "failed" })) &&
		(q.Until.IsZero() || e.Time.Before(q.Until)) && (q.Text == "" || texts(all, q.Text))
}

func TestSearch(t *testing.T) {
	var b strings.Builder
	for i, r := range varied(1000) {
		text, err := hooks.EncodeJSON(r)
		if err != nil {
			t.Fatal(err)
		}
		if i%7 == 0 {
			text, _ = json.Marshal(r) // which escapes < and >
		}
		if i%11 == 0 { // as another program might write it
			text = []byte(strings.NewReplacer("FOUND", `\u0046OUN\u0064`, "/", `\/`, "ü", `\u00fc`).Replace(string(text)))
		}
		if i%200 == 0 {
			b.WriteString("broken: FOUND make target\n" + strings.Repeat("z", i*1000) + "\n")
		}
		b.Write(text)
		b.WriteString("\n")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "decisions.jsonl"), b.String())
	x, _ := run(t, dir, logindex.Options{})
	v := until(t, x, has(1000))
	var entries []audit.Entry
	if _, err := audit.Read(dir, audit.Filter{}, func(e audit.Entry) bool { entries = append(entries, e); return true }); err != nil || len(entries) != 1000 {
		t.Fatal(len(entries), err)
	}
	middle := time.Date(2026, 5, 4, 8, 40, 0, 0, time.UTC)
	queries := []logindex.Query{
		{}, {Session: "s2"}, {Session: "nobody"}, {Agent: "sub"}, {Event: "stop"}, {Event: "s1"}, {Tool: "bash"}, {Host: "codex"}, {Project: "/a"},
		{Hook: "a"}, {Hook: "error-logger"}, {Hook: "c", Decision: "deny"}, {Rule: "g: two"}, {Decision: "none"}, {Decision: "ask"}, {Decision: "perhaps"},
		{Kind: "note"}, {Kind: "run", Session: "s1"}, {Kind: "dream"}, {Kind: "note", Decision: "none"}, {Failed: true}, {Failed: true, Kind: "run"},
		{Since: middle}, {Until: middle}, {Since: middle.Add(-time.Nanosecond), Until: middle.Add(time.Minute + 1)},
		{Session: "s1", Agent: "main", Event: "pre_tool_call", Tool: "bash", Host: "claude"},
		{Text: "found ME"}, {Text: "found", Session: "s2"}, {Text: "hello"}, {Text: `"hello"`}, {Text: `C:\TEMP`}, {Text: `\`}, {Text: `"`}, {Text: "a/b"}, {Text: "/"},
		{Text: "grün"}, {Text: "GRÜN"}, {Text: "tab\there"}, {Text: "\n"}, {Text: "one\nline"}, {Text: "ctrl\x01HERE"}, {Text: "x < y && z"}, {Text: "<"},
		{Text: "TARGET-999"}, {Text: "target-1", Tool: "read", Failed: true}, {Text: "command"}, {Text: "deep"}, {Text: "duration_us"}, {Text: "nowhere to be found"},
		{Text: "\u017fession"}, {Text: "\xff"}, {Text: "2026-05-04t08"}, {Text: "(g: ONE)"},
	}
	for _, q := range queries {
		var wanted []int
		for i := len(entries) - 1; i >= 0; i-- {
			if wants(q, &entries[i]) {
				wanted = append(wanted, i)
			}
		}
		for _, limit := range []int{1, 7, 1_000_000} {
			if limit == 1 && len(wanted) > 100 {
				continue
			}
			var got []int
			searched, from := 0, v.Len()
			for more := true; more; {
				p, err := v.Search(context.Background(), q, from, limit)
				if err != nil || len(p.Rows) > limit || p.Next > from || p.More && p.Next == from {
					t.Fatalf("%+v: %+v, %v", q, p, err)
				}
				got = append(got, p.Rows...)
				searched += p.Searched
				from, more = p.Next, p.More
			}
			if !slices.Equal(got, wanted) || searched != v.Len() {
				t.Errorf("%+v, %d at once: %d found, %d searched, want %d\n got %v\nwant %v", q, limit, len(got), searched, len(wanted), got[:min(9, len(got))], wanted[:min(9, len(wanted))])
			}
		}
	}
	if p, err := v.Search(context.Background(), logindex.Query{}, 10, 3); err != nil || !slices.Equal(p.Rows, []int{9, 8, 7}) || p.Next != 7 || !p.More {
		t.Errorf("below 10: %+v, %v", p, err)
	}
	for _, c := range []struct{ from, limit int }{{-5, 3}, {0, 3}} {
		if p, err := v.Search(context.Background(), logindex.Query{}, c.from, c.limit); err != nil || len(p.Rows) > 0 || p.More {
			t.Errorf("from %d: %+v, %v", c.from, p, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := v.Search(ctx, logindex.Query{Text: "x"}, v.Len(), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}
