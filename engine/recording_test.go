package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/redact"
)

// journal is a decision log in a folder of its own.
type journal struct {
	*audit.Log
	t testing.TB
}

func newJournal(t testing.TB) *journal {
	t.Helper()
	l, err := audit.Open(filepath.Join(t.TempDir(), "log"), audit.Options{Redactor: redact.New(nil)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return &journal{l, t}
}

func (j *journal) records() (list []audit.Record) {
	j.t.Helper()
	broken, err := audit.Read(j.Dir(), audit.Filter{}, func(e audit.Entry) bool {
		list = append(list, e.Record)
		return true
	})
	if err != nil || broken != 0 {
		j.t.Fatalf("%d broken, %v", broken, err)
	}
	return list
}

// only is the one record that there is.
func (j *journal) only() audit.Record {
	j.t.Helper()
	list := j.records()
	if len(list) != 1 {
		j.t.Fatalf("%d records: %+v", len(list), list)
	}
	return list[0]
}

func TestDecisionIsRecorded(t *testing.T) {
	j := newJournal(t)
	e := newEngine(t, engine.WithAudit(j.Log, engine.RecordDecisions), engine.WithScript("guard.lua", `
		on("pre_tool_call", { name = "fine" }, function() return context("token=hunter2hunter2"), { data = { seen = 2, by = "password=hunter2" } } end)
		on("pre_tool_call", { name = "guard", match = "bash" }, function(ev) return deny("no password=hunter2 here") end)
		on("pre_tool_call", { name = "broken", on_failure = "warn", priority = 1 }, function(ev) error("it broke") end)`))
	before := time.Now()
	r := fire(t, e, &hooks.Context{Event: "PreToolUse", SessionID: "s-1", AgentID: "a-1", CWD: "/work", Prompt: "do it", ToolCall: &hooks.ToolCall{ID: "c-1", Name: "Bash", Command: "mysql --password hunter2"}})
	got := j.only()
	if got.Time.Before(before.Truncate(time.Millisecond)) || got.DurationUS <= 0 || len(got.Runs) != 3 {
		t.Fatalf("%+v", got)
	}
	for i := range got.Runs {
		if got.Runs[i].Instructions <= 0 {
			t.Errorf("%s has run without an instruction", got.Runs[i].Hook)
		}
		got.Runs[i].DurationUS, got.Runs[i].Instructions = 0, 0
	}
	got.Time, got.DurationUS, got.Luahook = time.Time{}, 0, ""
	want := audit.Record{
		V: 1, Kind: audit.KindDecision, Event: hooks.PreToolCall, Session: "s-1", Agent: "a-1", CWD: "/work", Tool: "bash", CallID: "c-1",
		Decision: "deny", Reason: "no password=[redacted: password] here", Generation: e.Generation(), Warnings: r.Warnings,
		Data: map[string]any{"seen": json.Number("2"), "by": "password=[redacted: password]"},
		Runs: []audit.Run{
			{ID: "1.1", Hook: "broken", Scope: "embedder", Source: "guard.lua:4", Handler: "lua", Order: 1, Status: "failed", Entries: []hooks.Entry{{Kind: "error", Text: "went on: its on_failure is warn"}}, Error: &audit.Error{Kind: "script", Message: "it broke"}},
			{ID: "1.2", Hook: "fine", Scope: "embedder", Source: "guard.lua:2", Handler: "lua", Order: 2, Status: "completed", Entries: []hooks.Entry{{Kind: "context", Text: "token=[redacted: token]"}}},
			{ID: "1.3", Hook: "guard", Scope: "embedder", Source: "guard.lua:3", Handler: "lua", Order: 3, Status: "blocked", Decision: "deny", Entries: []hooks.Entry{{Kind: "feedback", Text: "no password=[redacted: password] here"}}},
		},
		Context: got.Context,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	text, err := hooks.EncodeJSON(got.Context)
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(text), `"prompt":{"bytes":5,`, `"input":{"command":"mysql --password [redacted: password]"}`)
}

// An event that nothing runs for, and one that can't be judged, are recorded as well.
func TestEveryFireIsRecorded(t *testing.T) {
	j := newJournal(t)
	e := newEngine(t, engine.WithAudit(j.Log, engine.RecordDecisions), engine.WithScript("a.lua", `on("pre_tool_call", function() end)`))
	fire(t, e, &hooks.Context{Event: hooks.SessionStart})
	for _, c := range []*hooks.Context{{Event: hooks.PreToolCall, SessionID: "s-2"}, {Event: "pre_tol_call"}, nil} {
		if _, err := e.Fire(context.Background(), c); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
	var got []string
	for _, r := range j.records() {
		got = append(got, fmt.Sprintf("%s %q %s: %s", r.Event, r.Session, r.Decision, r.Reason))
	}
	want := []string{
		`session_start "" : `,
		`pre_tool_call "s-2" deny: event: tool_call: missing; pre_tool_call needs it as {"name": ..., "input": {...}}`,
		"pre_tol_call \"\" deny: unknown event \"pre_tol_call\"; did you mean \"pre_tool_call\"?",
		` "" deny: event: there is none (nil)`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNothingIsRecordedUnlessAsked(t *testing.T) {
	j := newJournal(t)
	fire(t, newEngine(t, engine.WithAudit(j.Log, engine.RecordNotes)), &hooks.Context{Event: hooks.SessionStart})
	if list := j.records(); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	if _, err := os.Stat(j.Dir()); !os.IsNotExist(err) {
		t.Errorf("the folder is there: %v", err)
	}
	for _, o := range []engine.Option{engine.WithAudit(nil, engine.RecordNotes), engine.WithAudit(j.Log, 7)} {
		if _, err := engine.New(o); err == nil || !strings.Contains(err.Error(), "WithAudit") {
			t.Errorf("%v", err)
		}
	}
}

func TestRecordOfHooksYAML(t *testing.T) {
	for yaml, want := range map[string]string{"decisions": `"prompt":{"bytes":5,`, "events": `"prompt":"do it"`} {
		j := newJournal(t)
		user := t.TempDir()
		if err := os.WriteFile(filepath.Join(user, "hooks.yaml"), []byte("hooks: {record: "+yaml+"}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		fire(t, newEngine(t, engine.WithUserDir(user), engine.WithAudit(j.Log, engine.RecordDecisions)), &hooks.Context{Event: hooks.PrePrompt, Prompt: "do it"})
		text, err := hooks.EncodeJSON(j.only().Context)
		if err != nil {
			t.Fatal(err)
		}
		contains(t, string(text), want)
	}
	j := newJournal(t)
	e, _ := project(t, "-- .hooks/hooks.yaml --\nhooks: {record: events}\n", engine.WithAudit(j.Log, engine.RecordDecisions))
	contains(t, errors.Join(e.LoadErrors()...).Error(), "record: only the user's own and the managed hooks.yaml may say this")
	fire(t, e, &hooks.Context{Event: hooks.PrePrompt, Prompt: "do it"})
	if text := fmt.Sprint(j.only().Context); strings.Contains(text, "do it") {
		t.Errorf("a project has its way: %s", text)
	}
}

func TestAsyncRunIsRecordedByItself(t *testing.T) {
	j := newJournal(t)
	e, err := engine.New(engine.WithoutBuiltins(), engine.WithAudit(j.Log, engine.RecordDecisions), engine.WithScript("a.lua", `on("stop", { name = "later", mode = "async" }, function() error("too late") end)`))
	if err != nil {
		t.Fatal(err)
	}
	fire(t, e, &hooks.Context{Event: hooks.Stop, SessionID: "s-1"})
	if err := e.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	got := map[audit.Kind]string{}
	for _, r := range j.records() {
		got[r.Kind] = fmt.Sprintf("%s %s %s %s", r.Event, r.Session, r.Runs[0].Hook, r.Runs[0].Status)
	}
	want := map[audit.Kind]string{audit.KindDecision: "stop s-1 later queued", audit.KindRun: "stop s-1 later failed"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

const notingBuiltin = `on("on_error", function(ev) audit.note({ kind = "error", text = "password=hunter2", data = { n = 3 } }) return context("noted") end)`

func TestNotesAreWrittenAlways(t *testing.T) {
	engine.SetBuiltin(t, "safety-guard", notingBuiltin)
	j := newJournal(t)
	e := newEngine(t, engine.WithBuiltin("safety-guard", nil), engine.WithAudit(j.Log, engine.RecordNotes))
	fire(t, e, &hooks.Context{Event: hooks.OnError, SessionID: "s-1", Error: &hooks.ErrorInfo{Message: "x"}})
	got := j.only()
	if got.Kind != audit.KindNote || got.Event != hooks.OnError || got.Session != "s-1" || got.Hook != "safety-guard" || got.Note != "error" || got.Text != "password=[redacted: password]" || fmt.Sprint(got.Data) != "map[n:3]" || got.Context != nil {
		t.Errorf("%+v", got)
	}
}

// Only built-ins have the log, and a redactor that knows the environment: another script
// could ask it for values that it wasn't granted.
func TestOtherScriptsKnowNothing(t *testing.T) {
	t.Setenv("DB_PASSWORD", "Winter-is-c0ming")
	engine.SetBuiltin(t, "safety-guard", `assert(redact.text("Winter-is-c0ming") == "[redacted: environment: DB_PASSWORD]")`)
	e := newEngine(t, engine.WithBuiltin("safety-guard", nil), engine.WithAudit(newJournal(t).Log, engine.RecordNotes),
		engine.WithScript("a.lua", `assert(audit == nil); assert(redact.text("Winter-is-c0ming") == "Winter-is-c0ming")`))
	if problems := e.LoadErrors(); problems != nil {
		t.Error(problems)
	}
}

// A log that can't be written changes no decision and is told once, whoever wanted to
// write.
func TestLogThatCannotBeWritten(t *testing.T) {
	engine.SetBuiltin(t, "safety-guard", notingBuiltin)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := audit.Open(filepath.Join(file, "log"), audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, first := range map[string]*hooks.Context{
		"a decision":           {Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Command: "ls"}},
		"nothing ran":          {Event: hooks.SessionStart},
		"a note of a built-in": {Event: hooks.OnError, Error: &hooks.ErrorInfo{Message: "x"}},
	} {
		var lines bytes.Buffer
		e := newEngine(t, engine.WithBuiltin("safety-guard", nil), engine.WithAudit(log, engine.RecordDecisions), engine.WithLogger(slog.New(slog.NewTextHandler(&lines, nil))),
			engine.WithScript("a.lua", `on("pre_tool_call", function() return deny("no") end)`))
		told := strings.Join(fire(t, e, first).Warnings, "\n")
		for range 3 {
			r := fire(t, e, &hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Command: "ls"}})
			if r.Decision != hooks.Deny || len(r.Warnings) != 0 {
				t.Errorf("%s: %s, %v", name, r.Decision, r.Warnings)
			}
			fire(t, e, &hooks.Context{Event: hooks.OnError, Error: &hooks.ErrorInfo{Message: "x"}})
		}
		if strings.Count(told, "the decision log can't be written (not a directory)") != 1 || strings.Contains(told, file) {
			t.Errorf("%s: %s", name, told)
		}
		if strings.Count(lines.String(), "the decision log can't be written") != 1 || !strings.Contains(lines.String(), file) {
			t.Errorf("%s: %s", name, lines.String())
		}
	}
}
