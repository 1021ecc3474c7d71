package luabind_test

import (
	"context"
	"errors"
	"testing"

	lua "github.com/yuin/gopher-lua"
	luar "layeh.com/gopher-luar"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// desk is what an embedder might hand to its scripts.
type desk struct {
	Secret string
	moved  []string
}

func (d *desk) Move(from, to string) string {
	d.moved = append(d.moved, from+">"+to)
	return to
}
func (d *desk) Sum(numbers ...int) int {
	n := 0
	for _, m := range numbers {
		n += m
	}
	return n
}
func (d *desk) Fail() (string, error) { return "", errors.New("no ink") }
func (d *desk) Panic()                { panic("out of paper") }
func (d *desk) Nil() map[string]any   { return nil }
func (d *desk) DeleteAll()            { d.moved = nil }

func (d *desk) Lua(...lua.LValue)           {}
func (d *desk) State() *lua.LState          { return nil }
func (d *desk) Embeds(...map[string]*sheet) {}
func (d *desk) Luar(*luar.LState) int       { return 0 }

func withDesk(d *desk, methods ...string) luabind.Environment {
	return luabind.Environment{Objects: []luabind.Object{luabind.HostObject{Name: "desk", Value: d, Methods: methods}}}
}

func TestHostObjects(t *testing.T) {
	d := &desk{Secret: "s"}
	s := load(t, `
on("stop", function(ev)
  assert(desk.Move("a", "b") == "b" and desk:Move("c", "d") == "d")
  assert(desk.Sum(1, 2, 3) == 6 and desk:Sum() == 0 and desk.Nil() == nil)
  for _, name in ipairs{"DeleteAll", "Secret", "move"} do assert(rawget(desk, name) == nil and not pcall(function() return desk[name] end)) end
  local value, err = desk:Fail()
  assert(value == "" and err:Error() == "no ink")
  assert(not pcall(function() desk.Move = nil end) and not pcall(rawset, desk, "Move", 1))
  local names = {} for k in pairs(desk) do names[#names + 1] = k end assert(#names == 5)
  assert(getmetatable(desk) == false)
end)`, withDesk(d, "Move", "Sum", "Fail", "Nil", "Panic"))
	calls(t, s, 0, sample(t, hooks.Stop))
	equal(t, "moved", d.moved, []string{"a>b", "c>d"})
}

func TestHostObjectErrors(t *testing.T) {
	tests := []struct{ body, want string }{
		{`desk.Panic()`, "desk.Panic panicked: out of paper"},
		{`desk:Panic()`, "desk.Panic panicked: out of paper"},
		{`desk.Move("a")`, "invalid number of function arguments (2 expected, got 1)"},
		{`desk.Move("a", "b", "c")`, "desk.Move: invalid number of function arguments (2 expected, got 3)"},
		{`desk.Move("a", {})`, "bad argument #2 to desk.Move (cannot use table as type string)"},
		{`desk:Move("a", {})`, "bad argument #2 to desk.Move (cannot use table as type string)"},
		{`desk.Mvoe("a")`, `desk has no "Mvoe"; did you mean "Move"?`},
		{`desk.Move = 1`, "desk is read-only (Move)"},
	}
	for _, tt := range tests {
		t.Run(tt.body, func(t *testing.T) {
			s := load(t, "on('stop', function(ev)\n"+tt.body+"\nend)", withDesk(&desk{}, "Move", "Panic"))
			out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{})
			wantError(t, out.Err, hooks.KindScript, file+":2: ", tt.want)
			if !s.Broken() {
				t.Error("the state is not broken")
			}
		})
	}
}

func TestHostObjectsAreForThoseWhoGetThem(t *testing.T) {
	passes(t, `assert(desk == nil and rawget(_G, "desk") == nil)`, shellCall(t))
	e := loadError(t, `require("desk")`, luabind.Environment{})
	wantError(t, e, hooks.KindLoad, `require "desk": no such module`)
}

func TestHostObjectsAreChecked(t *testing.T) {
	tests := []struct {
		object luabind.HostObject
		want   string
	}{
		{luabind.HostObject{Name: "desk"}, `host object "desk" is nil`},
		{luabind.HostObject{Name: "1desk", Value: &desk{}, Methods: []string{"Move"}}, `host object "1desk": the name can't stand in a script`},
		{luabind.HostObject{Name: "deny", Value: &desk{}, Methods: []string{"Move"}}, `host object "deny": that is a word of hooks`},
		{luabind.HostObject{Name: "desk", Value: &desk{}}, `host object "desk": name the methods that scripts may call`},
		{luabind.HostObject{Name: "desk", Value: &desk{}, Methods: []string{"Lua"}}, `host object "desk": Lua takes or gives a lua.LValue; a method must not touch Lua, as it runs in a goroutine of its own`},
		{luabind.HostObject{Name: "desk", Value: &desk{}, Methods: []string{"State"}}, `host object "desk": State takes or gives a *lua.LState; a method must not touch Lua, as it runs in a goroutine of its own`},
		{luabind.HostObject{Name: "desk", Value: &desk{}, Methods: []string{"Luar"}}, `host object "desk": Luar takes or gives a *luar.LState; a method must not touch Lua, as it runs in a goroutine of its own`},
		{luabind.HostObject{Name: "desk", Value: &desk{}, Methods: []string{"Embeds"}}, `host object "desk": Embeds takes a luabind_test.sheet, which embeds a struct; name its fields in one of its own`},
		{luabind.HostObject{Name: "desk", Value: &desk{}, Methods: []string{"Move", "Burn"}}, `host object "desk": *luabind_test.desk has no method Burn`},
	}
	for _, tt := range tests {
		if err := tt.object.Check(); err == nil || err.Error() != tt.want {
			t.Errorf("Check is %v, want %s", err, tt.want)
		}
		e := loadError(t, ``, luabind.Environment{Objects: []luabind.Object{tt.object}})
		wantError(t, e, hooks.KindLoad, tt.want)
	}
}

func TestHostObjectsReplaceNothing(t *testing.T) {
	for _, name := range []string{"string", "pairs", "_G"} {
		e := loadError(t, ``, luabind.Environment{Objects: []luabind.Object{luabind.HostObject{Name: name, Value: &desk{}, Methods: []string{"Move"}}}})
		wantError(t, e, hooks.KindLoad, `host object "`+name+`": a module or function has that name`)
	}
}
