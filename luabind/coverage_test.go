package luabind_test

import (
	"errors"
	"fmt"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

// Lines are noted wherever they run: in a pcall, in a coroutine, in both, and in functions that
// the libraries call.
func TestCoverageOnAllThreads(t *testing.T) {
	const script = `local a = 1
pcall(function()
  a = 2
  local co = coroutine.wrap(function()
    a = 3
    pcall(function()
      a = 4
      coroutine.yield()
      a = 5
    end)
    a = 6
  end)
  co()
  table.sort({ 2, 1 }, function(x, y)
    return x < y
  end)
  error("x")
  a = 7
end)
local b = ("x"):gsub("x", function()
  return "y"
end)
if a == 8 then
  a = 9
end`
	p, err := compile.Script("x.lua", script)
	if err != nil {
		t.Fatal(err)
	}
	cover := luabind.NewCoverage()
	_, err = luabind.NewState(t.Context(), p, luabind.Environment{Coverage: cover})
	if err != nil {
		t.Fatal(err)
	}
	missed := ""
	for line := 1; line <= 25; line++ {
		if ran, counts := cover.Lines(p)[line]; counts && !ran {
			missed += fmt.Sprint(line, " ")
		}
	}
	// The yield within a pcall is an error, which the pcall catches.
	if missed != "9 18 24 " {
		t.Errorf("missed the lines %s", missed)
	}
}

// Run calls what it is given, within its limits, and its error says where.
func TestRun(t *testing.T) {
	p, err := compile.Script("x.lua", "x = { f = function(n)\n  return n + 1\nend, loop = function()\n  while true do end\nend, fail = function()\n  error('no')\nend }")
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string) (result lua.LValue, broken bool, e *hooks.Error) {
		s, err := luabind.NewState(t.Context(), p, luabind.Environment{})
		if err != nil {
			t.Fatal(err)
		}
		err = s.Run(t.Context(), luabind.Limits{Instructions: 10_000}, func(L *lua.LState) int {
			L.Push(L.GetField(L.GetGlobal("x"), name))
			L.Push(lua.LNumber(1))
			L.Call(1, 1)
			result = L.Get(-1)
			return 0
		})
		errors.As(err, &e)
		return result, s.Broken(), e
	}
	if got, broken, err := call("f"); err != nil || got != lua.LNumber(2) || broken {
		t.Errorf("got %v, %v", got, err)
	}
	if _, broken, err := call("fail"); err == nil || err.Source != "x.lua:6" || err.Message != "no" || !broken {
		t.Errorf("got %v", err)
	}
	if _, _, err := call("loop"); err == nil || err.Source != "x.lua:4" || err.Limit != hooks.LimitInstructions {
		t.Errorf("got %v", err)
	}
}
