package audit_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/redact"
)

func open(t *testing.T, dir string, o audit.Options) *audit.Log {
	t.Helper()
	if o.Redactor == nil {
		o.Redactor = redact.New([]string{"DB_PASSWORD=Winter-is-c0ming"})
	}
	l, err := audit.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func appendTo(t *testing.T, l *audit.Log, r audit.Record) {
	t.Helper()
	if err := l.Append(context.Background(), r); err != nil {
		t.Fatal(err)
	}
}

func texts(t *testing.T, dir string, f audit.Filter) (list []string) {
	t.Helper()
	broken, err := audit.Read(dir, f, func(e audit.Entry) bool {
		list = append(list, e.Text)
		return true
	})
	if err != nil || broken != 0 {
		t.Errorf("%d broken, %v", broken, err)
	}
	return list
}

var at = time.Date(2026, 5, 4, 3, 2, 1, 987654321, time.FixedZone("", 7200))

// The exact format: a change here must increase audit.Version, unless it only adds a key.
func TestFormat(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, audit.Options{})
	event, err := hooks.DecodeContext([]byte(`{"event":"pre_tool_call","session_id":"s-1","agent_id":"a-1","cwd":"/work/shop","model":"m","prompt":"do it",
		"tool_call":{"id":"c-1","name":"Bash","input":{"command":"mysql --password hunter2 && echo Winter-is-c0ming"}},"metadata":{"note":"text","n":3}}`), "")
	if err != nil {
		t.Fatal(err)
	}
	r := audit.About(audit.KindDecision, event)
	r.Time, r.Project, r.Decision, r.Reason, r.Generation, r.DurationUS = at, "/work/shop", "deny", "no --password hunter2 on a command line", 2, 1500
	r.Context = audit.Given(event, false)
	r.Runs = []audit.Run{
		audit.RunOf(&hooks.Run{Hook: "guard", Scope: hooks.ScopeUser, Source: "a.lua:3", Status: hooks.StatusBlocked, Mode: hooks.ModeSync, DurationUS: 700}),
		audit.RunOf(&hooks.Run{Hook: "slow", Scope: hooks.ScopeProject, Mode: hooks.ModeAsync, Status: hooks.StatusFailed, Error: &hooks.RunError{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Message: "too slow"}}),
	}
	r.Warnings = []string{"a warning"}
	appendTo(t, l, r)
	r = audit.About(audit.KindNote, event)
	r.Time, r.Hook, r.Note, r.Text, r.Data = at, "error-logger", "error", "Winter-is-c0ming\x1b[2J", map[string]any{"password": "correct horse", "failures": int64(3)}
	appendTo(t, l, r)
	r = audit.About(audit.KindDecision, nil)
	r.Time = at
	appendTo(t, l, r)
	got, err := os.ReadFile(filepath.Join(dir, "decisions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	const head = `{"time":"2026-05-04T01:02:01.987Z","v":1,"luahook":"V",`
	want := head + `"kind":"decision","event":"pre_tool_call","session":"s-1","agent":"a-1","project":"/work/shop","cwd":"/work/shop","tool":"bash","call_id":"c-1","decision":"deny","reason":"no --password [redacted: password] on a command line","generation":2,"duration_us":1500,"runs":[{"hook":"guard","scope":"user","source":"a.lua:3","status":"blocked","duration_us":700},{"hook":"slow","scope":"project","mode":"async","status":"failed","duration_us":0,"error":{"kind":"limit","limit":"time","message":"too slow"}}],"warnings":["a warning"],"context":{"agent_id":"a-1","cwd":"/work/shop","event":"pre_tool_call","metadata":{"n":3,"note":{"bytes":4,"sha256":"982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1"}},"model":"m","prompt":{"bytes":5,"sha256":"f51c362d5cc7defb17b2b1290bb8e9b5a4d7e1319f85b90741ff3f8578fc6bba"},"session_id":"s-1","tool_call":{"host_name":"Bash","id":"c-1","input":{"command":"mysql --password [redacted: password] && echo [redacted: environment: DB_PASSWORD]"},"kind":"shell","name":"bash"}}}
` + head + `"kind":"note","event":"pre_tool_call","session":"s-1","agent":"a-1","cwd":"/work/shop","tool":"bash","call_id":"c-1","hook":"error-logger","note":"error","text":"[redacted: environment: DB_PASSWORD]\u001b[2J","data":{"failures":3,"password":"[redacted: password]"}}
` + head + `"kind":"decision","event":""}
`
	version := regexp.MustCompile(`"luahook":"[^"]*",`)
	text := version.ReplaceAllString(string(got), `"luahook":"V",`)
	text = strings.ReplaceAll(text, `"v":1,"kind"`, `"v":1,"luahook":"V","kind"`) // where the build has no version
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(text, "\n")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if runtime.GOOS != "windows" {
		for path, mode := range map[string]os.FileMode{dir + "/decisions.jsonl": 0o600, dir + "/decisions.lock": 0o600} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
				t.Errorf("%s: %v, %v", path, info.Mode(), err)
			}
		}
	}
}

func TestGivenKeepsNoTexts(t *testing.T) {
	const secret = "what the user said"
	for _, text := range []string{
		`{"event":"pre_prompt","prompt":"T"}`,
		`{"event":"post_response","response":"T"}`,
		`{"event":"post_tool_call","tool_call":{"name":"bash","input":{"command":"ls"},"output":"T","outcome":"ok"}}`,
		`{"event":"post_tool_call","tool_call":{"name":"bash","input":{"command":"ls"},"output":{"stdout":["T"]},"outcome":"ok"}}`,
		`{"event":"on_error","error":{"message":"T","kind":"network"}}`,
		`{"event":"pre_model_call","messages":[{"role":"user","content":"T"}],"system_prompt":"T"}`,
		`{"event":"message_sending","message":"T","channel":"#c"}`,
		`{"event":"subagent_stop","result":"T"}`,
		`{"event":"run_end","outputs":{"a":"T"}}`,
		`{"event":"task_created","title":"T","description":"T"}`,
		`{"event":"stop","something":"T","deep":{"a":["T"]},"metadata":{"x":"T"}}`,
		`{"event":"deploy.requested","text":"T"}`,
	} {
		c, err := hooks.DecodeContext([]byte(strings.ReplaceAll(text, `T"`, secret+`"`)), "")
		if err != nil {
			t.Fatal(err)
		}
		some, err := hooks.EncodeJSON(audit.Given(c, false))
		if err != nil || strings.Contains(string(some), secret) || !strings.Contains(string(some), `"sha256"`) {
			t.Errorf("%s\nis kept as %s (%v)", text, some, err)
		}
		all, err := hooks.EncodeJSON(audit.Given(c, true))
		if err != nil || !strings.Contains(string(all), secret) {
			t.Errorf("%s\nis with everything %s (%v)", text, all, err)
		}
		again, err := hooks.DecodeContext(all, "")
		if err != nil {
			t.Errorf("%s can't be fired again: %v", all, err)
		} else if diff := cmp.Diff(c, again); diff != "" {
			t.Errorf("%s is another event:\n%s", all, diff)
		}
	}
}

func TestLongRecordsAreCut(t *testing.T) {
	many := map[string]any{}
	for i := range 30_000 {
		many[fmt.Sprintf("key%d", i)] = "a value"
	}
	secret := "gh" + "p_16C7e42F292c6912E7710c838347Ae178B4a"
	for name, data := range map[string]map[string]any{
		"one long text":      {"a": strings.Repeat("ä long text, ", 100_000), "b": "short"},
		"long ones":          {"a": []any{strings.Repeat("x", 70_000), strings.Repeat("y ", 70_000), strings.Repeat("\x01", 70_000)}},
		"many short ones":    many,
		"a secret at an end": {"a": strings.Repeat("word ", (64<<10)/5-4) + secret + strings.Repeat(" word", 10_000)},
		"secrets all along":  {"a": strings.Repeat(secret+" ", 10_000)},
		"a long key":         {strings.Repeat("k", 100_000): 1},
	} {
		dir := t.TempDir()
		l := open(t, dir, audit.Options{})
		appendTo(t, l, audit.Record{Time: at, Kind: audit.KindNote, Event: "stop", Text: "t", Data: data})
		appendTo(t, l, audit.Record{Time: at, Kind: audit.KindNote, Text: "next"})
		n := 0
		if _, err := audit.Read(dir, audit.Filter{}, func(e audit.Entry) bool {
			n++
			if n == 1 && (!e.Cut || e.Text != "t" || len(e.Line) > audit.MaxRecord || strings.Contains(string(e.Line), "p_16C7e42F")) {
				t.Errorf("%s: cut %v, text %q, %d bytes", name, e.Cut, e.Text, len(e.Line))
			}
			return true
		}); err != nil || n != 2 {
			t.Errorf("%s: %d records, %v", name, n, err)
		}
	}
}

func TestHalfALineIsClosedOff(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "decisions.jsonl")
	if err := os.WriteFile(path, []byte(`{"time":"2026-05-04T01:02:01.987Z","v":1,"kin`), 0o600); err != nil {
		t.Fatal(err)
	}
	l := open(t, dir, audit.Options{MaxAge: 1000000 * time.Hour})
	appendTo(t, l, audit.Record{Kind: audit.KindNote, Text: "one"})
	appendTo(t, l, audit.Record{Kind: audit.KindNote, Text: "two"})
	var got []string
	broken, err := audit.Read(dir, audit.Filter{}, func(e audit.Entry) bool {
		got = append(got, e.Text)
		return true
	})
	if diff := cmp.Diff([]string{"one", "two"}, got); diff != "" || broken != 1 || err != nil {
		t.Errorf("%s%d broken, %v", diff, broken, err)
	}
}

func TestRotation(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, audit.Options{MaxBytes: 1000, MaxFiles: 3})
	for i := range 100 {
		appendTo(t, l, audit.Record{Kind: audit.KindNote, Text: fmt.Sprint(i)})
	}
	got := texts(t, dir, audit.Filter{})
	if len(got) < 15 || len(got) > 45 || got[len(got)-1] != "99" {
		t.Errorf("%d records are kept: %v", len(got), got)
	}
	for i, text := range got {
		if want := fmt.Sprint(100 - len(got) + i); text != want {
			t.Errorf("record %d is %s, want %s", i, text, want)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 3+1 { // and the lock
		t.Errorf("%v, %v", files, err)
	}
}

func TestOldRecordsGo(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, audit.Options{})
	now := time.Now()
	appendTo(t, l, audit.Record{Time: now.Add(-20 * 24 * time.Hour), Kind: audit.KindNote, Text: "old"})
	appendTo(t, open(t, dir, audit.Options{}), audit.Record{Time: now.Add(-19 * 24 * time.Hour), Kind: audit.KindNote, Text: "old, too"})
	if err := os.Chtimes(filepath.Join(dir, "decisions.jsonl"), now, now.Add(-19*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	appendTo(t, open(t, dir, audit.Options{}), audit.Record{Time: now, Kind: audit.KindNote, Text: "new"})
	if diff := cmp.Diff([]string{"new"}, texts(t, dir, audit.Filter{})); diff != "" {
		t.Error(diff)
	}
}

func TestFilter(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, audit.Options{})
	now := time.Now()
	for _, r := range []audit.Record{
		{Kind: audit.KindDecision, Session: "s1", Event: "stop", Text: "a", Time: now.Add(-time.Hour)},
		{Kind: audit.KindDecision, Session: "s2", Event: "pre_tool_call", Decision: "deny", Text: "b", Runs: []audit.Run{{Hook: "x"}, {Hook: "guard"}}},
		{Kind: audit.KindNote, Session: "s1", Event: "pre_tool_call", Hook: "guard", Text: "c"},
	} {
		appendTo(t, l, r)
	}
	for want, f := range map[string]audit.Filter{
		"a b c": {}, "a c": {Session: "s1"}, "b c": {Since: now.Add(-time.Minute)}, "b": {Decision: "deny"}, "a": {Decision: "none"}, "c": {Kind: audit.KindNote}, "": {Event: "setup"},
	} {
		if got := strings.Join(texts(t, dir, f), " "); got != want {
			t.Errorf("%+v: %q, want %q", f, got, want)
		}
	}
	if got := strings.Join(texts(t, dir, audit.Filter{Hook: "guard"}), " "); got != "b c" {
		t.Errorf("by hook: %s", got)
	}
}

// TestLast: the last records are those that reading all of them ends with, through several
// files, with lines between them that are no records.
func TestLast(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, audit.Options{MaxBytes: 200 << 10, MaxFiles: 100})
	current := filepath.Join(dir, "decisions.jsonl")
	for i := range 300 {
		appendTo(t, l, audit.Record{Kind: audit.KindNote, Session: fmt.Sprint(i % 7), Text: fmt.Sprint(i, " ", strings.Repeat("x", i*i%9000))})
		if i%60 == 59 {
			appendLine(t, current, strings.Repeat("long ", i*8<<10)+"\n\n{\"half\": \n")
		}
	}
	appendLine(t, current, `{"v":1,"time":"2026-01-01T00:00:00Z","kind":"note","session":"3","text":"without its end"}`)
	texts := func(t *testing.T, dir string, f audit.Filter) (list []string) {
		if _, err := audit.Read(dir, f, func(e audit.Entry) bool { list = append(list, e.Text); return true }); err != nil {
			t.Error(err)
		}
		return list
	}
	for _, f := range []audit.Filter{{}, {Session: "3"}, {Session: "nobody"}} {
		all := texts(t, dir, f)
		if want := map[string]int{"": 301, "3": 44}[f.Session]; len(all) != want {
			t.Fatalf("%d records of session %q, want %d", len(all), f.Session, want)
		}
		for _, n := range []int{1, 2, 3, 10, 43, 44, 299, 300, 301, 302, 1000} {
			f.Last = n
			if diff := cmp.Diff(all[max(len(all)-n, 0):], texts(t, dir, f)); diff != "" {
				t.Errorf("the last %d of session %q: %s", n, f.Session, diff)
			}
		}
	}
}

// appendLine writes what a killed or strange process leaves.
func appendLine(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// A line that is longer than a record isn't put together: that would be the square of its length.
func TestALongLineIsPassedOver(t *testing.T) {
	dir := t.TempDir()
	appendTo(t, open(t, dir, audit.Options{}), audit.Record{Kind: audit.KindNote, Text: "first"})
	appendLine(t, filepath.Join(dir, "decisions.jsonl"), strings.Repeat("x", 16<<20)+"\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	broken, err := audit.Read(dir, audit.Filter{Last: 1}, func(e audit.Entry) bool { return e.Text == "first" })
	runtime.ReadMemStats(&after)
	if built := after.TotalAlloc - before.TotalAlloc; broken != 1 || err != nil || built > 64<<20 {
		t.Errorf("%d broken, %v, %d bytes built", broken, err, built)
	}
}

// TestLastReadsFromTheEnd: what lies before the last records isn't read. The log begins
// with a hole that nobody reads through.
func TestLastReadsFromTheEnd(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "decisions.jsonl")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<42); err != nil {
		t.Skip("a file with a hole of 4 TiB can't be made here: ", err)
	}
	appendLine(t, path, "\n"+`{"v":1,"time":"2026-01-01T00:00:00Z","kind":"note","text":"a"}`+"\n"+`{"v":1,"time":"2026-01-01T00:00:00Z","kind":"note","text":"b"}`+"\n")
	if got := strings.Join(texts(t, dir, audit.Filter{Last: 2}), " "); got != "a b" {
		t.Errorf("the last two: %s", got)
	}
	err := audit.Follow(t.Context(), dir, audit.Filter{Last: 1}, nil, func(e audit.Entry) bool {
		if e.Text != "b" {
			t.Errorf("followed from %s", e.Text)
		}
		return false
	})
	if err != nil {
		t.Error(err)
	}
}

func TestFollow(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	l := open(t, dir, audit.Options{MaxBytes: 600, MaxFiles: 100})
	for _, text := range []string{"long before", "before", "just before"} {
		appendTo(t, l, audit.Record{Kind: audit.KindNote, Text: text})
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ready, seen := make(chan bool), make(chan string, 100)
	done := make(chan error, 1)
	go func() {
		done <- audit.Follow(ctx, dir, audit.Filter{Last: 2}, func() { close(ready) }, func(e audit.Entry) bool {
			seen <- e.Text
			return e.Text != "last"
		})
	}()
	<-ready
	for i := range 30 {
		appendTo(t, l, audit.Record{Kind: audit.KindNote, Text: fmt.Sprint(i)})
	}
	if got := [2]string{<-seen, <-seen}; got != [2]string{"before", "just before"} {
		t.Fatalf("%v", got)
	}
	for i := range 30 {
		if got := <-seen; got != fmt.Sprint(i) {
			t.Fatalf("%s, want %d", got, i)
		}
	}
	if files, size, err := audit.Purge(dir); files < 5 || size == 0 || err != nil {
		t.Errorf("purged %d files, %d bytes, %v", files, size, err)
	}
	appendTo(t, l, audit.Record{Kind: audit.KindNote, Text: "last"})
	if err := <-done; err != nil || <-seen != "last" {
		t.Errorf("after the purge: %v", err)
	}
	if diff := cmp.Diff([]string{"last"}, texts(t, dir, audit.Filter{})); diff != "" {
		t.Error(diff)
	}
}

// A file that only looks like one of the log's stays.
func TestPurgeLeavesOtherFiles(t *testing.T) {
	dir := t.TempDir()
	appendTo(t, open(t, dir, audit.Options{}), audit.Record{Kind: audit.KindNote, Text: "x"})
	others := []string{"20260102-030405.000000.jsonl", "decisions-20260102-030405.000000", "decisions-last.jsonl"}
	for _, name := range others {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if files, _, err := audit.Purge(dir); files != 1 || err != nil {
		t.Errorf("purged %d files, %v", files, err)
	}
	for _, name := range others {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestNothingIsMadeBeforeItIsUsed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "log")
	open(t, dir, audit.Options{})
	if n, err := audit.Read(dir, audit.Filter{}, nil); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if files, _, err := audit.Purge(dir); files != 0 || err != nil {
		t.Errorf("%d, %v", files, err)
	}
	if _, err := os.Stat(filepath.Dir(dir)); !os.IsNotExist(err) {
		t.Errorf("the folder is there: %v", err)
	}
	if _, err := audit.Open("log", audit.Options{}); err == nil || !strings.Contains(err.Error(), "absolute") {
		t.Errorf("a relative folder: %v", err)
	}
}

func TestALogOfOthersIsNoneOfOurs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing here")
	}
	for _, what := range []string{"folder", "file"} {
		dir := t.TempDir()
		path := dir
		if what == "file" {
			path = filepath.Join(dir, "decisions.jsonl")
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(path, 0o777); err != nil {
			t.Fatal(err)
		}
		l := open(t, dir, audit.Options{})
		if err := l.Append(context.Background(), audit.Record{Kind: audit.KindNote}); err == nil || !strings.Contains(err.Error(), "lets others write") {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := audit.Read(dir, audit.Filter{}, nil); err == nil || !strings.Contains(err.Error(), "lets others write") {
			t.Errorf("reading, %s: %v", what, err)
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "decisions.jsonl")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	appendTo(t, open(t, dir, audit.Options{}), audit.Record{Kind: audit.KindNote})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v: others can read what is written (%v)", info.Mode(), err)
	}
}

// A stopped process that holds the lock delays each other process only once.
func TestALockThatIsHeld(t *testing.T) {
	dir := t.TempDir()
	hold := holdLock(t, filepath.Join(dir, "decisions.lock"))
	l := open(t, dir, audit.Options{Wait: 20 * time.Millisecond})
	ctx, cancel := context.WithCancel(context.Background())
	for range 3 {
		if err := l.Append(ctx, audit.Record{Kind: audit.KindNote, Text: "lost"}); err == nil {
			t.Error("it was written while another had the lock")
		}
	}
	hold()
	cancel() // whose end is no reason to lose a record that needn't wait
	if err := l.Append(ctx, audit.Record{Kind: audit.KindNote, Text: "kept"}); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"kept"}, texts(t, dir, audit.Filter{})); diff != "" {
		t.Error(diff)
	}
}

func holdLock(t *testing.T, file string) (release func()) {
	t.Helper()
	unlock, err := lockOf(file)
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := unlock(); err != nil {
			t.Error(err)
		}
	}
}

// Anything in place of a file of the log is neither written to nor waited for.
func TestALogThatIsNoFile(t *testing.T) {
	for _, name := range []string{"decisions.jsonl", "decisions-20260101-000000.000000.jsonl"} {
		for what, plant := range plants {
			dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "precious")
			if err := os.WriteFile(elsewhere, []byte("precious\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := plant(filepath.Join(dir, name), elsewhere); err != nil {
				t.Skip(err)
			}
			err := open(t, dir, audit.Options{}).Append(context.Background(), audit.Record{Kind: audit.KindNote})
			if name == "decisions.jsonl" && err == nil {
				t.Errorf("a %s was written to", what)
			}
			_, err = audit.Read(dir, audit.Filter{}, func(audit.Entry) bool { return true })
			if err == nil || !strings.Contains(err.Error(), name+": it is") {
				t.Errorf("reading a %s as %s: %v", what, name, err)
			}
			info, err := os.Stat(elsewhere)
			if err != nil || info.Size() != 9 || info.Mode().Perm()&0o044 == 0 {
				t.Errorf("a %s: what it leads to was changed: %v, %v", what, info, err)
			}
		}
	}
}

// plants put something in place of a file.
var plants = map[string]func(at, elsewhere string) error{
	"link":   func(at, elsewhere string) error { return os.Symlink(elsewhere, at) },
	"folder": func(at, _ string) error { return os.Mkdir(at, 0o700) },
}

// What a run has to say is kept, up to a bound, and the agent's turn.
func TestEntriesAndTurn(t *testing.T) {
	run := hooks.Run{ID: hooks.RunID{Fire: 3, Number: 2}, Hook: "h", Handler: hooks.HandlerCommand, Order: 4, Status: hooks.StatusCompleted}
	for i := range 40 {
		run.Entries = append(run.Entries, hooks.Entry{Kind: hooks.EntryContext, Text: fmt.Sprint(i, strings.Repeat("x", 3000*(i%2)), " --password hunter2")})
	}
	for metadata, want := range map[*map[string]any]string{
		{"turn_id": "t-1", "prompt_id": "p"}: "t-1", {"prompt_id": "p"}: "p", {"turn": int64(7)}: "7", {"turn_id": []any{"x"}}: "", nil: "",
	} {
		c := &hooks.Context{Event: hooks.SessionStart}
		if metadata != nil {
			c.Metadata = *metadata
		}
		dir := t.TempDir()
		l := open(t, dir, audit.Options{})
		r := &hooks.Result{}
		r.Summarizer = &hooks.RunSummary{Runs: []hooks.Run{run}}
		appendTo(t, l, audit.Decided(c, r, false))
		if _, err := audit.Read(dir, audit.Filter{}, func(e audit.Entry) bool {
			got := e.Runs[0]
			if e.Turn != want || got.ID != "3.2" || got.Handler != "command" || got.Order != 4 || !e.Cut || len(e.Line) > 64<<10 {
				t.Errorf("%d bytes: %+v", len(e.Line), e.Record)
			}
			if len(got.Entries) != 16 || got.Entries[0].Text != "0 --password [redacted: password]" || !strings.Contains(got.Entries[1].Text, "… [cut: ") {
				t.Errorf("%+v", got.Entries)
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
	}
}
