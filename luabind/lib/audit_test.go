package lib

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// notesFunc is a decision log.
type notesFunc func(event *hooks.Context, n Note) string

func (f notesFunc) Note(_ context.Context, event *hooks.Context, n Note) string { return f(event, n) }

// runNoting runs a hook of stop that has a log.
func runNoting(t *testing.T, source string, f Notes) (out luabind.Outcome, err error) {
	t.Helper()
	env := luabind.Environment{Modules: []luabind.Module{AuditModule()}, Services: &Services{Notes: f}}
	s, err := load(t, env, `on("stop", function() `+source+` end)`)
	if err != nil {
		t.Fatal(err)
	}
	out = s.Call(context.Background(), 0, &hooks.Context{Event: "stop", SessionID: "s-1"}, luabind.Limits{})
	if out.Err != nil {
		return out, out.Err
	}
	return out, nil
}

func TestNote(t *testing.T) {
	var got []Note
	log := notesFunc(func(event *hooks.Context, n Note) string {
		if event.SessionID != "s-1" {
			t.Errorf("about %+v", event)
		}
		got = append(got, n)
		return ""
	})
	out, err := runNoting(t, `audit.note({ kind = "a", text = "b", data = { n = 1, list = { "x" } } }); audit.note({ kind = "c", data = {} })`, log)
	want := []Note{{"a", "b", map[string]any{"n": int64(1), "list": []any{"x"}}}, {Kind: "c", Data: map[string]any{}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil || len(out.Entries) != 0 {
		t.Errorf("%s%v, %+v", diff, err, out.Entries)
	}
}

// What fails is told and ends nothing.
func TestNoteThatFails(t *testing.T) {
	out, err := runNoting(t, `audit.note({ kind = "a" }); audit.note({ kind = "b" }); return context("it went on")`, notesFunc(func(*hooks.Context, Note) string { return "no space left" }))
	if err != nil || out.Result == nil || out.Result.NewContext != "it went on" || len(out.Entries) != 1 || out.Entries[0].Text != "no space left" {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := runNoting(t, AuditModule().Functions[0].Example, nil); err != nil {
		t.Error("without a log:", err)
	}
	if _, err := load(t, luabind.Environment{Modules: []luabind.Module{AuditModule()}, Services: &Services{Notes: notesFunc(nil)}}, `audit.note({ kind = "a" })`); err == nil || !strings.Contains(err.Error(), "within a hook") {
		t.Error("while loading:", err)
	}
}

func TestNoteArguments(t *testing.T) {
	for source, want := range map[string]string{
		`audit.note()`:                                    "bad argument #1 to note (table expected, got nil)",
		`audit.note({ text = "a" })`:                      "kind expected, a text",
		`audit.note({ kind = "" })`:                       "kind expected, a text",
		`audit.note({ kind = 1 })`:                        "kind: string expected, got number",
		`audit.note({ kind = "a", txt = "b" })`:           `it has "txt", which isn't asked for; did you mean "text"?`,
		`audit.note({ kind = "a", data = { 1, 2 } })`:     "data: a table with names expected, got table",
		`audit.note({ kind = "a", data = "b" })`:          "data: a table with names expected, got string",
		`audit.note({ kind = "a", data = { f = print }})`: "data: f is a function",
	} {
		_, err := runNoting(t, source, notesFunc(func(*hooks.Context, Note) string { return "" }))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", source, err, want)
		}
	}
}
