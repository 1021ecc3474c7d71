package logindex_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/cmd/luahook/internal/logindex/logindextest"
	"github.com/luahook/luahook/engine/audit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// run opens an index and runs it until the test ends, or the function that it returns is called.
func run(t testing.TB, path string, o logindex.Options) (x *logindex.Index, stop func()) {
	t.Helper()
	x, err := logindex.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- x.Run(ctx); close(ended) }()
	stop = func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	}
	t.Cleanup(stop)
	return x, stop
}

// until waits for a view.
func until(t testing.TB, x *logindex.Index, is func(v *logindex.View) bool) *logindex.View {
	t.Helper()
	end := time.After(time.Minute)
	for {
		v := x.View()
		if is(v) {
			return v
		}
		select {
		case <-v.Newer():
		case <-end:
			done, total := v.Progress()
			t.Fatalf("not within a minute; there are %d records, %d broken lines, %d of %d bytes, %v", v.Len(), v.Broken(), done, total, v.Err())
		}
	}
}

func has(records int) func(v *logindex.View) bool {
	return func(v *logindex.View) bool { return v.Len() == records && v.Err() == nil }
}

// write writes lines to a file.
func write(t testing.TB, path string, lines ...string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
}

func appendTo(t testing.TB, path string, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// line is a record of a session, the n-th.
func line(session string, n int) string {
	return fmt.Sprintf(`{"time":"2026-05-04T08:%02d:%02d.%03dZ","v":1,"kind":"decision","event":"stop","session":%q}`+"\n", n/60000%60, n/1000%60, n%1000, session)
}

// lines are so many records of sessions s0, s1 ...
func lines(from, to int) string {
	var b strings.Builder
	for n := from; n < to; n++ {
		b.WriteString(line(fmt.Sprint("s", n), n))
	}
	return b.String()
}

// sessions are those of all rows.
func sessions(v *logindex.View) []string {
	var list []string
	for i := range v.Len() {
		list = append(list, v.Name(v.Row(i).Session))
	}
	return list
}

func want(t *testing.T, v *logindex.View, from, to int) {
	t.Helper()
	var list []string
	for n := from; n < to; n++ {
		list = append(list, fmt.Sprint("s", n))
	}
	if diff := cmp.Diff(list, sessions(v)); diff != "" {
		t.Errorf("other records than s%d to s%d (-want +got):\n%s", from, to-1, diff)
	}
}

func TestRow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "some.jsonl")
	write(t, path, `{"time":"2026-05-04T08:00:00.5Z","v":1,"host":"claude","kind":"decision","event":"pre_tool_call","session":"s-1","agent":"main","project":"/home/kim/shop","tool":"bash","decision":"deny","reason":"No. (safety-guard: git.push-force)","halt":true,"modified":true,"duration_us":1700,"runs":[`+
		`{"hook":"safety-guard","scope":"user","source":"builtin:safety-guard:56","mode":"parallel","judging":true,"status":"blocked","decision":"deny","duration_us":700,"instructions":2000,"entries":[{"kind":"feedback","text":"No. (safety-guard: git.push-force)"}]},`+
		`{"hook":"a","scope":"project","source":"a.lua:1","mode":"async","modified":true,"status":"failed","duration_us":-5,"instructions":99999999999,"error":{"kind":"limit","limit":"instructions","message":"too many"}},`+
		`{"hook":"b","scope":"project","status":"exploded","decision":"perhaps","duration_us":0,"error":{"kind":"lua","message":"b.lua:1: no"}}],`+
		`"warnings":["w"],"data":{"cost":{"session_usd":1.25,"session_tokens":4096,"more":[1]}},"input":{"command":"ls"},"cut":true}`+"\n",
		`{"time":"2026-05-04T08:00:01Z","v":1,"kind":"note","event":"on_error","hook":"error-logger","note":"error","text":"t","data":{"cost":"none"}}`+"\n",
		`{"time":"0001-01-01T00:00:00.001Z","v":2,"kind":"dream","event":"x","decision":"perhaps"}`+"\n",
		`{"TIME":"2026-05-04T08:00:02+02:00","v":1,"kind":"run","event":"stop","\u0073ession":"s-1"} and more`+"\n")
	x, _ := run(t, path, logindex.Options{})
	v := until(t, x, has(4))

	type namedRun struct {
		Hook, Source, Scope, Failure, Status, Decision string
		Flags                                          logindex.RunFlags
		DurationUS, Instructions                       uint32
	}
	type named struct {
		Time                                                                             int64
		Kind, Decision, Event, Session, Agent, Host, Project, Tool, Rule, Hook, NoteKind string
		Flags                                                                            logindex.Flags
		DurationUS                                                                       uint32
		Runs                                                                             []namedRun
		Cost                                                                             *logindex.Cost
	}
	var got []named
	for i := range v.Len() {
		r := v.Row(i)
		n := named{
			Time: r.Time, Kind: r.Kind.String(), Decision: r.Decision.String(), Event: v.Name(r.Event), Session: v.Name(r.Session), Agent: v.Name(r.Agent),
			Host: v.Name(r.Host), Project: v.Name(r.Project), Tool: v.Name(r.Tool), Rule: v.Name(r.Rule), Hook: v.Name(r.Hook), NoteKind: v.Name(r.Note),
			Flags: r.Flags, DurationUS: r.DurationUS, Cost: r.Cost,
		}
		for _, r := range r.Runs {
			n.Runs = append(n.Runs, namedRun{v.Name(r.Hook), v.Name(r.Source), v.Name(r.Scope), v.Name(r.Failure), r.Status.String(), r.Decision.String(), r.Flags, r.DurationUS, r.Instructions})
		}
		got = append(got, n)
	}
	day := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC).UnixMilli()
	wanted := []named{
		{
			Time: day + 8*3600_000 + 500, Kind: "decision", Decision: "deny", Event: "pre_tool_call", Session: "s-1", Agent: "main", Host: "claude",
			Project: "/home/kim/shop", Tool: "bash", Rule: "safety-guard: git.push-force", DurationUS: 1700,
			Flags: logindex.Halt | logindex.Modified | logindex.Failed | logindex.Warned | logindex.Cut, Cost: &logindex.Cost{USD: 1.25, Tokens: 4096},
			Runs: []namedRun{
				{"safety-guard", "builtin:safety-guard:56", "user", "", "blocked", "deny", logindex.Judging | logindex.Parallel, 700, 2000},
				{"a", "a.lua:1", "project", "limit/instructions", "failed", "", logindex.Rewrote | logindex.Async, 0, 1<<32 - 1},
				{"b", "", "project", "lua", "other", "other", 0, 0, 0},
			},
		},
		{Time: day + 8*3600_000 + 1000, Kind: "note", Event: "on_error", Hook: "error-logger", NoteKind: "error"},
		{Time: time.Date(1, 1, 1, 0, 0, 0, 1e6, time.UTC).UnixMilli(), Kind: "other", Event: "x", Decision: "other"},
		{Time: day + 6*3600_000 + 2000, Kind: "run", Event: "stop", Session: "s-1"},
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	for i := range v.Len() {
		if e, err := v.Read(i); err != nil || e.Time.UnixMilli() != got[i].Time {
			t.Errorf("Read(%d) = %v, %v", i, e.Time, err)
		}
		if k, ok := v.Find(v.Ref(i)); !ok || k != i || !regexp.MustCompile(`^[A-Za-z0-9-]+$`).MatchString(string(v.Ref(i))) {
			t.Errorf("Find(%s) = %d, %t, want %d", v.Ref(i), k, ok, i)
		}
	}
	e, err := v.Read(0)
	if cost, _ := e.Data["cost"].(map[string]any); err != nil || cost["session_tokens"] != json.Number("4096") {
		t.Errorf("Read: %v, %v", e.Data, err)
	}
	for _, ref := range []logindex.Ref{"", "-", "x-0", v.Ref(0) + "0", v.Ref(0)[:16], v.Ref(0)[:16] + "-00", v.Ref(0)[:16] + "-+0", v.Ref(0)[:16] + "--1", v.Ref(0)[:16] + "-1"} {
		if i, ok := v.Find(ref); ok {
			t.Errorf("Find(%q) = %d", ref, i)
		}
	}
	if done, total := v.Progress(); done != total || total == 0 {
		t.Errorf("Progress() = %d, %d", done, total)
	}
}

func TestRule(t *testing.T) {
	said := func(reason string) string {
		text, _ := json.Marshal(reason)
		return string(text)
	}
	record := func(decision, reason, runs string) string {
		return fmt.Sprintf(`{"time":"2026-05-04T08:00:00Z","v":1,"kind":"decision","event":"stop","decision":%q,"reason":%s,"runs":[%s]}`+"\n", decision, said(reason), runs)
	}
	long := strings.Repeat("é", 70)
	path := filepath.Join(t.TempDir(), "some.jsonl")
	write(t, path,
		record("deny", "No. (safety-guard: git.push-force)", ""),
		record("ask", "The budget is used up (cost-tracker: day). Continue anyway?", ""),
		record("allow", "Yes. (safety-guard: git.push-force)", ""),
		record("deny", "No (as I said: not today)", `{"hook":"calm","scope":"project","status":"blocked","duration_us":1}`),
		record("deny", long, `{"hook":"first","scope":"project","status":"completed","duration_us":1},{"hook":"long","scope":"project","status":"completed","duration_us":1,"entries":[{"kind":"feedback","text":`+said(long)+`}]}`),
		record("ask", "Who knows?", ""),
		record("deny", "", `{"hook":"mute","scope":"project","status":"blocked","duration_us":1}`),
	)
	x, _ := run(t, path, logindex.Options{})
	v := until(t, x, has(7))
	for i, rule := range []string{"safety-guard: git.push-force", "cost-tracker: day", "", "calm: No (as I said: not today)", "long: " + strings.Repeat("é", 60), "Who knows?", "mute"} {
		if got := v.Name(v.Row(i).Rule); got != rule {
			t.Errorf("rule %d: %q, want %q", i, got, rule)
		}
	}
	p, err := v.Search(context.Background(), logindex.Query{Rule: "cost-tracker: day"}, v.Len(), 9)
	if err != nil || len(p.Rows) != 1 || p.Rows[0] != 1 {
		t.Errorf("the search for a rule: %+v, %v", p, err)
	}
}

// At every moment the view is the newest part of the log.
func TestNewestFirst(t *testing.T) {
	dir := t.TempDir()
	const records = 60000 // some 50 MB, in several parts
	if err := logindextest.Write(dir, records); err != nil {
		t.Fatal(err)
	}
	x, _ := run(t, dir, logindex.Options{})
	partial := false
	v := until(t, x, func(v *logindex.View) bool {
		partial = partial || v.Len() > 0 && v.Len() < records
		for k := range min(v.Len(), 500) {
			i := k * (v.Len() - 1) / 499
			if want := logindextest.Begin.Add(time.Duration(records-v.Len()+i) * time.Second).UnixMilli(); v.Len() > 500 && v.Row(i).Time != want {
				t.Fatalf("row %d of %d is of %v", i, v.Len(), time.UnixMilli(v.Row(i).Time))
			}
		}
		return v.Len() == records
	})
	if !partial {
		t.Error("there was no view before all was read")
	}
	if done, total := v.Progress(); done != total {
		t.Errorf("Progress() = %d, %d", done, total)
	}
}

func TestLines(t *testing.T) {
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	huge := `{"time":"2026-05-04T08:00:00Z","v":1,"kind":"note","event":"stop","session":"huge","text":"` + strings.Repeat("x", audit.MaxRecord-200) + `"}` + "\n"
	deep := `{"time":"2026-05-04T08:00:00Z","v":1,"kind":"note","event":"stop","session":"deep","data":{"x":` + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000) + "}}\n"
	for _, c := range []struct {
		name, text string
		records    int
		broken     int
	}{
		{"nothing", "", 0, 0},
		{"blank lines", "\n\n \n\r\n" + lines(0, 1) + "\n\n", 1, 0},
		{"CRLF", crlf(lines(0, 3)), 3, 0},
		{"no end of the last line", strings.TrimSuffix(lines(0, 3), "\n"), 3, 0},
		{"one line without an end", strings.TrimSuffix(lines(0, 1), "\n"), 1, 0},
		{"broken lines", "x\n" + lines(0, 1) + "{\n" + `{"time":"2026-05-04T08:00:00Z"}` + "\n" + `{"v":1}` + "\n[]\n" + lines(1, 2) + "\x00\xff\n", 2, 6},
		{"fields of a wrong kind", `{"time":"2026-05-04T08:00:00Z","v":1,"cwd":5}` + "\n" + `{"time":"2026-05-04T08:00:00Z","v":1,"context":5}` + "\n" + `{"time":"2026-05-04T08:00:00Z","v":1,"runs":[{"entries":[{"text":5}]}]}` + "\n", 0, 3},
		{"a record as large as they get", lines(0, 1) + huge + lines(1, 2), 3, 0},
		{"a line of 3 MB", lines(0, 1) + strings.Repeat("y", 3<<20) + "\n" + lines(1, 2), 2, 1},
		{"a line that is too long by a byte", lines(0, 1) + strings.Repeat(" ", audit.MaxLine) + "\n" + lines(1, 2), 2, 1},
		{"a line of 20 MB at the beginning", strings.Repeat("y", 20<<20) + "\n" + lines(0, 500), 500, 1},
		{"a line of 20 MB in the middle", lines(0, 5000) + strings.Repeat("y", 20<<20) + "\n" + lines(5000, 9000), 9000, 1},
		{"deep nesting", lines(0, 1) + deep + lines(1, 2), 2, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "decisions.jsonl"), c.text)
			var there []string
			broken, err := audit.Read(dir, audit.Filter{}, func(e audit.Entry) bool { there = append(there, e.Session); return true })
			if err != nil || broken != c.broken || len(there) != c.records {
				t.Fatalf("audit.Read: %d broken, %d records, %v", broken, len(there), err)
			}
			for _, path := range []string{dir, filepath.Join(dir, "decisions.jsonl")} {
				x, stop := run(t, path, logindex.Options{})
				v := until(t, x, func(v *logindex.View) bool { return v.Len() == c.records && v.Broken() == c.broken && v.Err() == nil })
				if diff := cmp.Diff(there, sessions(v)); diff != "" {
					t.Errorf("%s (-audit.Read +index):\n%s", path, diff)
				}
				for i := 0; i < v.Len(); i += max(1, v.Len()/10) {
					if e, err := v.Read(i); err != nil || e.Session != there[i] {
						t.Errorf("Read(%d) = %q, %v, want %q", i, e.Session, err, there[i])
					}
				}
				stop()
			}
		})
	}
}

func TestNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "some.jsonl")
	long := strings.Repeat("n", 5000)
	write(t, path, line(long, 0), line(long+"x", 1), line("s", 2))
	x, _ := run(t, path, logindex.Options{})
	v := until(t, x, has(3))
	if got := v.Name(v.Row(0).Session); got != long[:1024] {
		t.Errorf("a name of 5000 bytes is kept with %d", len(got))
	}
	if p, err := v.Search(context.Background(), logindex.Query{Session: long}, v.Len(), 9); err != nil || len(p.Rows) != 2 {
		t.Errorf("the search for it: %+v, %v", p, err)
	}
	if id, ok := v.ID("s"); !ok || v.Name(id) != "s" {
		t.Errorf("ID = %d, %t", id, ok)
	}
	if _, ok := v.ID("nobody"); ok {
		t.Error("an unknown name has an ID")
	}
	if v.Name(1<<31) != "" {
		t.Error("an unknown ID has a name")
	}
}

func TestEnd(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "decisions.jsonl"), lines(0, 2))
	x, stop := run(t, dir, logindex.Options{})
	v := until(t, x, has(2))
	stop()
	if _, err := v.Read(0); err == nil {
		t.Error("Read after the end of Run gives no error")
	}
	if _, err := v.Search(context.Background(), logindex.Query{Text: "stop"}, 2, 1); err == nil {
		t.Error("Search by text after the end of Run gives no error")
	}
	want(t, v, 0, 2)
	if err := x.Run(context.Background()); err == nil {
		t.Error("a second Run gives no error")
	}
	if _, err := logindex.Open(os.DevNull, logindex.Options{}); err == nil {
		t.Error("a device is opened")
	}
}
