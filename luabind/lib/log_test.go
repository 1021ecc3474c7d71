package lib

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// memorySpill keeps what it is given last.
type memorySpill struct {
	session, name, text string
	err                 error
}

func (m *memorySpill) Spill(_ context.Context, session, name, text string) (string, error) {
	m.session, m.name, m.text = session, name, text
	return "/cache/" + name + ".txt", m.err
}

func spilling(grants hooks.Grants, s Services) luabind.Environment {
	return luabind.Environment{Modules: Modules(), Words: Words(), Grants: grants, Services: &s}
}

func TestSpill(t *testing.T) {
	m := &memorySpill{}
	source := `assert(spill("a text", { name = "go\ntest" }) == "/cache/go test.txt")
on("notification", function(ev) return message(spill(("x"):rep(3))) end)`
	for who, env := range map[string]luabind.Environment{
		"a script with fs.write": spilling(hooks.Grants{FSWrite: true}, Services{Spill: m}),
		"a built-in":             spilling(hooks.Grants{}, Services{Spill: m, Spills: true}),
	} {
		s, err := load(t, env, source)
		if err != nil {
			t.Fatalf("%s: %v", who, err)
		}
		if *m != (memorySpill{name: "go test", text: "a text"}) {
			t.Errorf("%s: while it loads: %+v", who, m)
		}
		c, err := (&hooks.Context{Event: hooks.Notification, SessionID: "s-1", Fields: map[string]any{"message": "x"}}).Complete()
		if err != nil {
			t.Fatal(err)
		}
		if out := s.Call(context.Background(), 0, c, wide); out.Err != nil || out.Result.SystemMessage != "/cache/.txt" || *m != (memorySpill{session: "s-1", text: "xxx"}) {
			t.Errorf("%s: %v, %+v", who, out.Err, m)
		}
	}
}

func TestSpillRefuses(t *testing.T) {
	m := &memorySpill{}
	given := hooks.Grants{FSWrite: true}
	for _, test := range []struct {
		env       luabind.Environment
		lua, want string
	}{
		{spilling(hooks.Grants{FSRead: true, Tasks: true}, Services{Spill: m}), `spill("x")`, `spill: not granted; give this script "grant: {fs.write: true}" in hooks.yaml`},
		{spilling(given, Services{Spill: m}), `spill()`, "bad argument #1 to spill (string expected, got nil)"},
		{spilling(given, Services{Spill: m}), `spill({})`, "bad argument #1 to spill (string expected, got table)"},
		{spilling(given, Services{Spill: m}), `spill("x", { nam = "y" })`, `bad argument #2 to spill (unknown option nam; did you mean "name"?)`},
		{spilling(given, Services{Spill: m}), `spill("x", { name = ("y"):rep(201) })`, "name: a text of more than 200 bytes"},
		{spilling(given, Services{}), `local path, problem = spill("x") error(path == nil and problem)`, "there is no place for long texts here"},
		{spilling(given, Services{Spill: &memorySpill{err: errors.New("no room")}}), `local path, problem = spill("x") error(path == nil and problem)`, "no room"},
	} {
		if _, err := load(t, test.env, test.lua); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.lua, err, test.want)
		}
	}
	if m.text != "" {
		t.Errorf("it was written: %+v", m)
	}
}

func TestWordsAreDocumented(t *testing.T) {
	for _, f := range Words() {
		if !strings.HasPrefix(f.Signature, f.Name+"(") || f.Help == "" || strings.Contains(f.Help, "\n") || f.Go == nil {
			t.Errorf("%s lacks its signature, help or function", f.Name)
		}
		env := spilling(hooks.Grants{}, Services{Spill: &memorySpill{}, Spills: true})
		if _, err := load(t, env, "local function example() "+f.Example+"\nend assert(example())"); err != nil {
			t.Errorf("the example of %s: %v", f.Name, err)
		}
	}
}
