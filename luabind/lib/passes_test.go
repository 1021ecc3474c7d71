package lib

import (
	"context"
	"strings"
	"testing"

	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

// lifterFunc is a Lifter, and the context that has it.
type lifterFunc struct {
	context.Context
	lifts func(b Block) string
}

func (l lifterFunc) Lifts(_ context.Context, b Block) string { return l.lifts(b) }

func (l lifterFunc) Value(key any) any {
	if key == (LifterKey{}) {
		return l
	}
	return l.Context.Value(key)
}

// runLifting runs a script with a lifter.
func runLifting(t *testing.T, lua string, lifts func(b Block) string) error {
	t.Helper()
	p, err := compile.Script("a.lua", lua)
	if err != nil {
		t.Fatal(err)
	}
	s, err := luabind.NewState(lifterFunc{context.Background(), lifts}, p, luabind.Environment{Modules: []luabind.Module{PassesModule()}})
	if err == nil {
		s.Close()
	}
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
		t.Error("without a lifter: ", err)
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
