package lib

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
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

// lifterFunc is a Overrider, and the context that has it.
type lifterFunc struct {
	context.Context
	lifts func(b Block) string
}

func (l lifterFunc) Override(_ context.Context, b Block) string { return l.lifts(b) }

func (l lifterFunc) Value(key any) any {
	if key == (OverriderKey{}) {
		return l
	}
	return l.Context.Value(key)
}

// runLifting runs a script with a overrider.
func runLifting(t *testing.T, lua string, lifts func(b Block) string) error {
	t.Helper()
	p, err := compile.Script("a.lua", lua)
	if err != nil {
		t.Fatal(err)
	}
	_, err = luabind.NewState(lifterFunc{context.Background(), lifts}, p, luabind.Environment{Modules: []luabind.Module{PassesModule()}})
	return err
}

func TestLifts(t *testing.T) {
	var got Block
	err := runLifting(t, `assert(passes.lifts({ rule = "git.reset-hard", class = "git", decision = "ask", reason = "why" }) == "a note")`, func(b Block) string {
		got = b
		return "a note"
	})
	if want := (Block{"git.reset-hard", "git", "ask", "why"}); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	if err := runLifting(t, PassesModule().Functions[0].Example, func(Block) string { return "" }); err != nil {
		t.Error(err)
	}
	if err := run(t, []luabind.Module{PassesModule()}, PassesModule().Functions[0].Example, wide); err != nil {
		t.Error("without a overrider: ", err)
	}
	if err := runLifting(t, PassesModule().Functions[0].Example, func(Block) string { panic("a mistake") }); err == nil {
		t.Error("a panic reads as an answer")
	}
}

// What a guard forgets to say is an error, and never a lifted block.
func TestLiftsArguments(t *testing.T) {
	for lua, want := range map[string]string{
		`passes.lifts()`: "bad argument #1 to lifts (table expected, got nil)",
		`passes.lifts({ rule = "r", decision = "deny", reason = "why" })`:                 "class expected, a text",
		`passes.lifts({ rule = "r", class = "", decision = "deny", reason = "why" })`:     "class expected, a text",
		`passes.lifts({ rule = 1, class = "git", decision = "deny", reason = "why" })`:    "rule expected, a text",
		`passes.lifts({ rule = "r", class = "git", decision = "block", reason = "why" })`: `decision is "block", want deny or ask`,
		`passes.lifts({ rule = "r", clas = "git", decision = "deny", reason = "why" })`:   `it has "clas", which isn't asked for; did you mean "class"?`,
	} {
		err := runLifting(t, lua, func(Block) string { return "a note" })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", lua, err, want)
		}
	}
}
